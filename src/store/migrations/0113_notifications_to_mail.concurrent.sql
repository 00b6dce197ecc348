-- Finds the notifications whose e-mails are not planned yet. Planned ones leave the index, so it stays small.
-- A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create index concurrently notifications_to_mail on notifications (created_at) where not is_mail_planned;
