-- A claim is of one merchant, and must not walk what waits for the others. In the place of the indexes by time alone: the
-- planner takes those for a merchant with a long past, who may have nothing due. Which merchants have something due is read
-- from these too, which hold only what waits.
drop index refunds_to_look_into;

create index refunds_to_look_into on refunds (merchant_id, next_look_at)
where next_look_at is not null;

drop index provider_callbacks_to_apply;

create index provider_callbacks_to_apply on provider_callbacks (merchant_id, next_try_at, id)
where next_try_at is not null;

-- What is old enough to be emptied, and only that: an emptied callback leaves the index.
create index provider_callbacks_to_empty on provider_callbacks (settled_at)
where settled_at is not null and octet_length(body) > 0;

comment on column provider_callbacks.body is 'Emptied a while after it was settled, or when the person it names is forgotten; its hash stays, so that it is not taken for a new one.';
comment on table notifications is 'Something a merchant''s dashboard should say, such as an endpoint that was disabled or money that was not recorded.';
