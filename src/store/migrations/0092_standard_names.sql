-- Columns, constraints, indexes and triggers take standard names. No earlier release was published, so no process that reads
-- the old names runs beside this schema.
-- squawk-ignore-file renaming-column
alter table refunds rename column provider_asked_at to submitted_at;
alter table refunds rename column next_look_at to next_check_at;
alter table refunds rename column looks to checks;
alter table refunds rename column absent_since to not_found_since;
alter table refunds
rename constraint refund_is_looked_into_only_while_it_may_move to refund_is_checked_only_while_it_may_change;
alter table refunds rename constraint refund_looks_are_not_negative to refund_checks_are_not_negative;
alter index refunds_to_look_into rename to refunds_due_for_check;
alter function hold_refund_to_its_moves() rename to refund_moves_as_published;

alter table provider_callbacks rename column next_try_at to next_attempt_at;
alter table provider_callbacks rename column settled_at to processed_at;
alter table provider_callbacks rename constraint callback_is_kept_once to callback_is_stored_once;
alter table provider_callbacks rename constraint callback_is_settled_with_an_outcome to callback_is_processed_with_an_outcome;
alter table provider_callbacks rename constraint callback_is_tried_until_settled to callback_is_due_until_processed;
alter index provider_callbacks_to_empty rename to provider_callbacks_to_redact;

alter table carrier_callbacks rename column news to parsed_body;
alter table carrier_callbacks rename column next_try_at to next_attempt_at;
alter table carrier_callbacks rename column settled_at to processed_at;
alter table carrier_callbacks rename constraint carrier_callback_is_kept_once to carrier_callback_is_stored_once;
alter table carrier_callbacks
rename constraint carrier_callback_has_news_until_settled to carrier_callback_has_a_parsed_body_until_processed;
alter table carrier_callbacks
rename constraint carrier_callback_is_settled_with_an_outcome to carrier_callback_is_processed_with_an_outcome;
alter table carrier_callbacks
rename constraint carrier_callback_is_tried_until_settled to carrier_callback_is_due_until_processed;
alter index carrier_callbacks_to_empty rename to carrier_callbacks_to_redact;

alter table quotes rename column emptied_at to redacted_at;
alter index quotes_to_empty rename to quotes_to_redact;

alter table carrier_records rename column kept to succeeded;
alter table carrier_assignment_times rename constraint assignment_takes_no_time_back to assignment_seconds_are_not_negative;
alter table carrier_assignment_times rename constraint assignment_times_are_of_something to assignment_sample_size_is_positive;

alter table logistics_observations rename column noted_at to recorded_at;
alter table logistics_observations rename constraint observation_takes_time to observation_seconds_are_positive;
alter index observations_by_note rename to observations_by_recording;
alter table logistics_quantiles rename constraint quantiles_are_of_something to quantile_sample_size_is_positive;
alter table shared_quantiles rename constraint shared_quantiles_are_of_something to shared_quantile_sample_size_is_positive;
alter table schedule_predictions rename column settled_at to completed_at;
alter index predictions_settled rename to predictions_completed;
alter table schedule_calibrations rename column judged_at to evaluated_at;

alter table simulated_orders rename column callbacks_told to callbacks_sent;
alter table simulated_orders rename column callback_tries to callback_attempts;
alter table simulated_orders
rename constraint simulated_order_is_accepted_after_it_is_asked_for to simulated_order_is_accepted_after_it_is_requested;
alter table simulated_orders rename constraint simulated_step_takes_time to simulated_step_is_positive;
alter index simulated_orders_to_tell rename to simulated_orders_with_a_due_callback;
alter table simulated_payment_callbacks rename column tries to attempts;
alter table simulated_refunds rename constraint simulated_refund_step_takes_time to simulated_refund_step_is_positive;

alter table idempotency_keys rename constraint idempotency_answer_is_whole to idempotency_response_is_complete;
alter table webhook_secrets rename constraint secret_is_kept_in_one_form to secret_is_stored_in_one_form;
alter table webhook_bulk_replays
rename constraint bulk_replay_repeats_what_is_over to bulk_replay_selects_finished_deliveries;
alter table webhook_bulk_replays rename constraint bulk_replay_queues_no_fewer_than_none to bulk_replay_queued_is_not_negative;
alter table webhook_deliveries rename constraint delivery_is_untried_while_pending to delivery_has_no_attempt_while_pending;
alter table webhook_deliveries rename constraint delivery_was_tried_if_failed to delivery_has_an_attempt_if_failed;
alter table unknown_carrier_statuses rename constraint unknown_status_was_seen to unknown_status_times_are_positive;
alter table payments rename constraint payment_loses_no_more_than_it_brought to payment_dispute_loss_is_within_its_amount;
alter table orders rename constraint order_remembers_where_it_was_iff_on_hold to order_has_a_held_from_iff_on_hold;
alter table orders rename constraint order_takes_back_no_more_than_it_fulfilled to order_returns_no_more_than_it_fulfilled;
alter table product_variants rename constraint variant_was_dearer_before to variant_compare_at_price_exceeds_its_price;
alter table delivery_zones rename constraint zone_is_driven_through to zone_average_speed_is_plausible;

alter trigger variants_tell_new_skus on product_variants rename to variants_update_skus_after_insert;
alter trigger variants_tell_changed_skus on product_variants rename to variants_update_skus_after_update;
alter trigger variants_tell_gone_skus on product_variants rename to variants_update_skus_after_delete;

create or replace function refuse_change_of_attempt() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE' and new.response_body is null and to_jsonb(new) - 'response_body' = to_jsonb(old) - 'response_body' then
    return new;
  end if;
  raise exception 'webhook_attempts is append-only: % is refused', lower(tg_op)
    using errcode = 'restrict_violation',
          hint = 'Only response_body may be redacted.';
end
$$;
