-- Renames stored reason codes that 0093 left out.
update dispatch_attempts
set outcome_code = case outcome_code when 'not_there' then 'order_not_found' else 'no_response' end
where outcome_code in ('not_there', 'no_word');

update shipments
set
  status_code = 'carrier_cancelled',
  version = version + 1
where status_code = 'carrier_gave_it_back';
