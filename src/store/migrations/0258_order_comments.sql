create table order_comments (
  merchant_id record_id not null,
  id record_id not null,
  order_id record_id not null,
  text text not null,
  author_type text not null,
  author_name text not null,
  created_at timestamptz(3) not null,
  primary key (merchant_id, id),
  constraint order_comment_is_on_an_order foreign key (merchant_id, order_id) references orders (merchant_id, id),
  constraint order_comment_author_is_known check (author_type in ('token', 'member'))
);

create index order_comments_newest_first on order_comments (merchant_id, order_id, created_at desc, id desc);

comment on table order_comments is 'Comments of members and API tokens on orders. Only the anonymisation of a customer changes a comment.';
comment on column order_comments.author_name is 'The name of the author when the comment was created.';
