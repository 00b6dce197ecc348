-- Read state, e-mail preferences and e-mails of notifications. Each member reads for themselves: a viewer who has read a
-- notification must not hide it from the owner.

create table notification_positions (
  -- The live or the test merchant of the notifications. The member belongs to the live one, so there is no foreign key.
  merchant_id record_id not null references merchants (id),
  member_id record_id not null,
  read_before timestamptz(3) not null,
  constraint notification_positions_pkey primary key (merchant_id, member_id)
);

create table notification_reads (
  merchant_id record_id not null,
  member_id record_id not null,
  notification_id record_id not null,
  constraint notification_reads_pkey primary key (merchant_id, member_id, notification_id),
  constraint read_mark_is_of_a_notification foreign key (merchant_id, notification_id) references notifications (merchant_id, id)
);

create table notification_preferences (
  merchant_id record_id not null,
  member_id record_id not null,
  kind text not null,
  by_email boolean not null,
  constraint notification_preferences_pkey primary key (merchant_id, member_id, kind),
  constraint preference_is_of_a_member foreign key (merchant_id, member_id) references members (merchant_id, id)
);

create table notification_mails (
  created_at timestamptz(3) not null,
  next_attempt_at timestamptz(3),
  completed_at timestamptz(3),
  attempts integer not null default 0,
  merchant_id record_id not null,
  notification_id record_id not null,
  member_id record_id not null,
  status text not null default 'pending',
  last_error text,
  constraint notification_mails_pkey primary key (merchant_id, notification_id, member_id),
  constraint mail_is_of_a_notification foreign key (merchant_id, notification_id) references notifications (merchant_id, id),
  constraint mail_is_to_a_member foreign key (merchant_id, member_id) references members (merchant_id, id),
  constraint mail_status_is_known check (status in ('pending', 'sent', 'failed', 'skipped')),
  constraint mail_is_due_while_pending check ((status = 'pending') = (next_attempt_at is not null)),
  constraint mail_is_completed_unless_pending check ((status = 'pending') = (completed_at is null)),
  constraint mail_attempts_are_not_negative check (attempts >= 0),
  constraint mail_error_is_short check (char_length(last_error) <= 500)
);

create index notification_mails_due on notification_mails (next_attempt_at) where next_attempt_at is not null;

-- Existing notifications are planned: nobody wants e-mails about last month. New ones are not, also those of the release before.
alter table notifications add column is_mail_planned boolean not null default true;
alter table notifications alter column is_mail_planned set default false;

comment on table notification_positions is 'The time before which a member has read all notifications of a merchant.';
comment on table notification_reads is 'A notification that a member has read, newer than the position of the member.';
comment on table notification_preferences is 'Whether a member gets notifications of a kind by e-mail. Without a row, the default of the kind applies.';
comment on table notification_mails is 'An e-mail about one notification to one member. Workers claim it by moving next_attempt_at ahead.';
comment on column notification_mails.status is 'skipped: the member left, lost the permission or turned the e-mails off before it was sent.';
comment on column notification_mails.attempts is 'Increased by each claim: a result is stored only under the number of its claim.';
comment on column notifications.is_mail_planned is 'Whether the worker has decided which members get an e-mail.';
comment on column notifications.read_at is 'Unused and always null: each member has their own read state. The release before still selects it, so a later release drops it.';
