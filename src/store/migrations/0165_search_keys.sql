-- Searches ignore case, accents and the Unicode normal form, so `OLAYINKA` finds `Ọláyínká` however its marks are encoded. The key of
-- a text is computed in PostgreSQL alone, by the expressions of the indexes and of the searches: no write can store another one.
--
-- The result must be the same on every server for as long as an index holds it. It therefore depends on no locale, ICU version or
-- dictionary: PostgreSQL decomposes the letters, which Unicode promises never to change, the marks are removed, and the letters that
-- do not decompose are listed. Extensions such as unaccent are not needed.

-- Letters that do not decompose. The hooked letters of Hausa and the letters of other Nigerian languages become the plain letters that
-- people without such a keyboard type. Greek and Cyrillic letters only lose their case.
create function plain_letters(value text) returns text
language sql immutable parallel safe
return case
  when octet_length(value) = char_length(value) then lower(value collate "C")
  else lower(
    translate(
      value,
      'ƁɓƊɗƘƙƳƴƝɲŊŋƎǝƏəƐɛƆɔƟɵƖɩƱʊƓɠƔɣƇƈƤƥƬƭƲʋƉɖƑƒØøŁłĐđĦħŦŧıÐðʼ‘’ÆŒÞẞ'
      || 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣςΤΥΦΧΨΩ'
      || 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ',
      'bbddkkyynnnneeeeeeooooiiuuggggccppttvvddffoollddhhttidd''''''æœþß'
      || 'αβγδεζηθικλμνξοπρσστυφχψω'
      || 'абвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ'
    ) collate "C"
  )
end;

-- Texts in ASCII, which are most, take the short way: as many bytes as characters.
create function search_key(value text) returns text
language sql immutable parallel safe
return case
  when octet_length(value) = char_length(value) then lower(value collate "C")
  else plain_letters(regexp_replace(normalize(value, nfkd), '[\u0300-\u036f]', '', 'g'))
end;

comment on function search_key(text) is
'The text without case, accents and marks, as searches compare it.';

-- Escapes after the key is computed, because the key of a full-width percent sign is a percent sign.
create function search_pattern(value text) returns text
language sql immutable parallel safe
return '%' || regexp_replace(search_key(value), '([\\%_])', '\\\1', 'g') || '%';

comment on function search_pattern(text) is
'The LIKE pattern of the search keys that contain the key of the text.';
