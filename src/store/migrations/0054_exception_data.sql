-- Exceptions tell their carrier and their case as data, so that nothing is decided by the words of a message. Those stored
-- before keep their message, and get the data that their words were searched for.
update shipments
set exceptions = (
  select jsonb_agg(
    told
    || coalesce(
      (
        select jsonb_build_object('carrier', named.code)
        from (
          values
            ('simulator-swift', 'Simulator Swift'),
            ('simulator-steady', 'Simulator Steady'),
            ('simulator-saver', 'Simulator Saver'),
            ('chowdeck', 'Chowdeck Relay'),
            ('fez', 'Fez Delivery'),
            ('shipbubble', 'Shipbubble')
        ) as named (code, name)
        where told ->> 'message' like named.name || ' %'
          or told ->> 'message' like 'The account with ' || named.name || ' %'
        limit 1
      ),
      '{}'
    )
    || case
      when told ->> 'code' = 'order_cancelled' and told ->> 'message' like '%though the shop’s order was cancelled%'
        then '{"cause": "order_kept"}'::jsonb
      else '{}'::jsonb
    end
    order by position
  )
  from jsonb_array_elements(shipments.exceptions) with ordinality as listed (told, position)
)
where exceptions <> '[]';

comment on column shipments.exceptions is 'What a person should look at, as codes and data: messages are built when they are read.';
