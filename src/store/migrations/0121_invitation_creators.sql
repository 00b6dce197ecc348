-- The member who created an invitation, so that removing the member revokes it. Without a foreign key: the application only
-- compares the id, and validating a constraint would lock the members.
alter table invitations add column creator_member_id record_id;

comment on column invitations.creator_member_id is 'The member who created the invitation. Null for an operator, and for invitations from before this column.';
