/** Files as other shops export them, with the columns that the import reads and some that it ignores. */

export function csvOf(rows: readonly (readonly string[])[], delimiter = ','): string {
  return rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)).join('\r\n')
}

/** Returns a CSV file with a header. Each row contains its cells by the names of the columns. */
export function fileOf(columns: readonly string[], rows: readonly Readonly<Record<string, string>>[]): Buffer {
  return Buffer.from(csvOf([columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]))
}

const shopifyColumns = [
  'Handle',
  'Title',
  'Body (HTML)',
  'Vendor',
  'Type',
  'Tags',
  'Published',
  'Option1 Name',
  'Option1 Value',
  'Option2 Name',
  'Option2 Value',
  'Variant SKU',
  'Variant Grams',
  'Variant Inventory Tracker',
  'Variant Inventory Qty',
  'Variant Inventory Policy',
  'Variant Price',
  'Variant Compare At Price',
  'Variant Barcode',
  'Image Src',
  'Image Position',
  'Image Alt Text',
  'Variant Image',
  'Cost per item',
  'SEO Title',
  'Status',
] as const

export function shopifyFile(rows: readonly Readonly<Record<string, string>>[]): Buffer {
  return fileOf(shopifyColumns, rows)
}

/** A product with two variants and two images, in three lines. */
export const shopifyDress = [
  {
    Handle: 'ankara-maxi-dress',
    Title: 'Ankara maxi dress',
    'Body (HTML)': '<p>Wax print &amp; lined.</p><p>Side pockets.</p>',
    Vendor: 'Adire Lagos',
    Type: 'Dresses',
    Tags: 'ankara, women',
    'Option1 Name': 'Size',
    'Option1 Value': 'M',
    'Variant SKU': 'ANK-M',
    'Variant Grams': '450',
    'Variant Inventory Tracker': 'shopify',
    'Variant Inventory Qty': '20',
    'Variant Inventory Policy': 'deny',
    'Variant Price': '12,500.00',
    'Variant Compare At Price': '15000.50',
    'Variant Barcode': '6154000012345',
    'Image Src': 'https://cdn.example.com/front.jpg',
    'Image Alt Text': 'Front view',
    'Variant Image': 'https://cdn.example.com/front.jpg',
    'Cost per item': '0.00',
    Status: 'active',
  },
  {
    Handle: 'ankara-maxi-dress',
    'Option1 Value': 'L',
    'Variant SKU': 'ANK-L',
    'Variant Inventory Tracker': 'shopify',
    'Variant Inventory Qty': '12',
    'Variant Inventory Policy': 'continue',
    'Variant Price': '₦13,000',
  },
  { Handle: 'ankara-maxi-dress', 'Image Src': 'https://cdn.example.com/back.jpg' },
]

const woocommerceColumns = [
  'ID',
  'Type',
  'SKU',
  'GTIN, UPC, EAN, or ISBN',
  'Name',
  'Published',
  'Description',
  'Tax status',
  'Stock',
  'Low stock amount',
  'Backorders allowed?',
  'Weight (kg)',
  'Sale price',
  'Regular price',
  'Categories',
  'Tags',
  'Images',
  'Parent',
  'Attribute 1 name',
  'Attribute 1 value(s)',
  'Attribute 2 name',
  'Attribute 2 value(s)',
  'Date sale price starts',
  'Date sale price ends',
  'In stock?',
  'Meta: _custom',
] as const

export function woocommerceFile(rows: readonly Readonly<Record<string, string>>[]): Buffer {
  return fileOf(woocommerceColumns, rows)
}

/** A simple product on sale, and a variable product with two variations. */
export const woocommerceRows = [
  {
    ID: '10',
    Type: 'simple',
    SKU: 'CAP-1',
    Name: 'Aso oke cap',
    Published: '1',
    'Tax status': 'none',
    Stock: '7',
    'Low stock amount': '2',
    'Weight (kg)': '0.25',
    'Sale price': '4500',
    'Regular price': '5000',
    Categories: 'Men > Caps, Sale',
    Tags: 'cap, aso oke',
    Images: 'https://cdn.example.com/cap.jpg, https://cdn.example.com/cap-back.jpg',
  },
  { ID: '11', Type: 'variable', Name: 'Adire shirt', Published: '0', SKU: 'SHIRT' },
  {
    ID: '12',
    Type: 'variation',
    SKU: 'SHIRT-S',
    Parent: 'id:11',
    'Regular price': '9000',
    'Attribute 1 name': 'Size',
    'Attribute 1 value(s)': 'S',
  },
  {
    ID: '13',
    Type: 'variation',
    SKU: 'SHIRT-M',
    Parent: 'SHIRT',
    Stock: '3',
    'Backorders allowed?': 'notify',
    'Regular price': '9500',
    'Attribute 1 name': 'Size',
    'Attribute 1 value(s)': 'M',
  },
]
