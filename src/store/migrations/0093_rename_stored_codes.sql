-- Renames stored codes. A migration of its own: it scans the tables, which 0091 and 0092 lock until their commit.
update dispatch_attempts
set state = 'not_found_at_carrier'
where state = 'resolved_absent';

update shipments
set
  exceptions = (
    select jsonb_agg(
      case when exception ->> 'code' = 'no_news' then exception || '{"code": "tracking_stalled"}' else exception end
      order by place
    )
    from jsonb_array_elements(shipments.exceptions) with ordinality as element (exception, place)
  ),
  version = version + 1
where exceptions @> '[{"code": "no_news"}]';

update shipments
set
  exceptions = (
    select jsonb_agg(
      case when exception ->> 'cause' = 'nobody_left' then exception || '{"cause": "no_carrier_left"}' else exception end
      order by place
    )
    from jsonb_array_elements(shipments.exceptions) with ordinality as element (exception, place)
  )
where exceptions @> '[{"cause": "nobody_left"}]';

update carrier_callbacks
set reason = 'unchanged'
where reason = 'no_news';

update provider_callbacks
set reason = case reason
  when 'looked_into' then 'refunds_rechecked'
  when 'no_news' then 'unchanged'
  else 'processed_before'
end
where reason in ('looked_into', 'no_news', 'settled_before');
