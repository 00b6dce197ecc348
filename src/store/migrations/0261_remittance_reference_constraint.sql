-- remittance_reference_counts_once replaces it. Releases that know no voided remittance rely on either of them.
alter table remittances drop constraint remittance_reference_is_unique;
