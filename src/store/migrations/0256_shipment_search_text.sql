-- The text by which a shipment is found: its reference, and the name and the phone number of the customer. The phone number is stored
-- as +2348031234567; the text also has the number as people dial it, 08031234567. The newlines prevent matches across two fields.
create function shipment_search_text(reference text, customer jsonb) returns text
language sql immutable parallel safe
return reference
  || coalesce(e'\n' || (customer ->> 'name'), '')
  || coalesce(e'\n' || (customer ->> 'phone') || e'\n0' || substr(customer ->> 'phone', 5), '');

comment on function shipment_search_text(text, jsonb) is
'The reference of a shipment, and the name and the phone number of its customer, for searches.';
