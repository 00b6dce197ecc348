-- payment_reference_counts_once replaces it. Releases that know no voided payment rely on either of them.
alter table payments drop constraint payment_reference_is_used_once;
