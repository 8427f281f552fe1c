-- Who is in which group, and which group is in which. Members are only ever direct; nesting is a join with the closure.

-- The type of the members stands in each row, so that an element's groups are found without asking the groups for theirs.
create table group_member (
  group_id bigint not null references "group" (id) on delete cascade,
  element_type smallint not null check (element_type between 2 and 7),
  member_id bigint not null,
  primary key (group_id, member_id)
);
create index group_member_element_ix on group_member (element_type, member_id, group_id);

create table group_edge (
  parent_id bigint not null references "group" (id) on delete cascade,
  child_id bigint not null references "group" (id) on delete cascade,
  primary key (parent_id, child_id),
  check (parent_id <> child_id)
);
create index group_edge_child_ix on group_edge (child_id, parent_id);

-- Every group is its own ancestor at depth 0, so that one join finds direct and nested members alike.
create table group_closure (
  ancestor_id bigint not null references "group" (id) on delete cascade,
  descendant_id bigint not null references "group" (id) on delete cascade,
  depth smallint not null check (depth between 0 and 16),
  primary key (ancestor_id, descendant_id)
);
create index group_closure_descendant_ix on group_closure (descendant_id, ancestor_id);
insert into group_closure (ancestor_id, descendant_id, depth) select g.id, g.id, 0 from "group" g;

-- The groups whose members an administrator group may see and change, where its profile limits rows.
create table group_manages (
  group_id bigint not null references "group" (id) on delete cascade,
  managed_id bigint not null references "group" (id) on delete cascade,
  primary key (group_id, managed_id)
);
create index group_manages_managed_ix on group_manages (managed_id, group_id);
