-- The reason of a refund is free text of up to 100 characters. The stored reasons fulfil the wider constraint, so nothing is read.
-- squawk-ignore-file ban-alter-domain-with-add-constraint
alter domain refund_reason drop constraint refund_reason_is_a_code;
alter domain refund_reason
add constraint refund_reason_is_1_to_100_characters check (char_length(value) between 1 and 100) not valid;
