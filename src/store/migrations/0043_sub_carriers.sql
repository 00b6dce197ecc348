-- A broker's offers are of companies that fail each on its own, so that one that refuses leaves the others to be asked.
alter table quote_offers add column sub_carrier text;
comment on column quote_offers.sub_carrier is 'The company behind a broker, by the broker''s key for it. Null where the carrier is no broker.';
