import { text as textField } from "../mod.ts";
import type { Db } from "./db.ts";

/**
 * Reads the schema of a database as SQL, without the tables of this package.
 *
 * @returns The definitions in the order of their names, so that equal schemas give equal texts.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readSchema } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const db = await openSqlite(":memory:");
 * await db.run`create table notes (text text not null) strict`;
 * assertEquals(await readSchema(db), "CREATE TABLE notes (text text not null) strict;\n");
 * await db.close();
 * ```
 */
export async function readSchema(db: Db): Promise<string> {
  const texts = await (db.engine === "sqlite" ? readSqlite(db) : readPostgres(db));
  return texts.map((text) => `${text.trim().replace(/;$/, "")};\n`).join("\n");
}

/** Skips the shadow tables of virtual tables, which SQLite creates itself. */
function readSqlite(db: Db): Promise<string[]> {
  return db.all(textField())`
    -- scan: the catalog is small
    select sql from sqlite_schema s
    where sql is not null and name not like 'sqlite\\_%' escape '\\' and name not like 'fw\\_%' escape '\\'
      and tbl_name not in (select name from pragma_table_list where type = 'shadow')
    order by case type when 'table' then 1 when 'index' then 2 else 3 end, name`;
}

function readPostgres(db: Db): Promise<string[]> {
  return db.all(textField())`
    -- scan: the catalog is small
    with relations as (
      select c.* from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relname not like 'fw\\_%'
        and not c.relispartition and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    ), sequences as (
      select q.seqrelid, case when q.seqtypid <> 'bigint'::regtype then ' as ' || q.seqtypid::regtype else '' end as type,
        concat_ws(' ', case when q.seqincrement <> 1 then 'increment by ' || q.seqincrement end,
          case when q.seqmin <> 1 then 'minvalue ' || q.seqmin end,
          case when q.seqmax <> case q.seqtypid::regtype::text when 'smallint' then 32767 when 'integer' then 2147483647
            else 9223372036854775807 end then 'maxvalue ' || q.seqmax end,
          case when q.seqstart <> q.seqmin then 'start with ' || q.seqstart end,
          case when q.seqcache <> 1 then 'cache ' || q.seqcache end, case when q.seqcycle then 'cycle' end) as options
      from pg_sequence q
    ), constraints as (
      -- A reference to a partitioned table has one for each partition as well.
      select k.conrelid, string_agg('  constraint ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid),
        ',' || chr(10) order by k.contype, k.conname) as texts
      from pg_constraint k join relations r on r.oid = k.conrelid
      where k.contype not in ('t', 'n') and k.conparentid = 0 group by 1
    )
    select sql from (
      select 1 as rank, extname::text as name, 'create extension ' || quote_ident(extname) as sql
        from pg_extension where extname <> 'plpgsql'
      union all
      select 2, t.typname::text, 'create type ' || quote_ident(t.typname) || ' as enum ('
          || (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)
          || ')' from pg_type t where t.typnamespace = current_schema()::regnamespace and t.typtype = 'e'
      union all
      select 2, t.typname::text, concat_ws(' ', 'create domain', quote_ident(t.typname), 'as', format_type(t.typbasetype, t.typtypmod),
          'default ' || t.typdefault, case when t.typnotnull then 'not null' end,
          (select string_agg(pg_get_constraintdef(k.oid), ' ' order by k.conname) from pg_constraint k
            where k.contypid = t.oid and k.contype = 'c'))
        from pg_type t where t.typnamespace = current_schema()::regnamespace and t.typtype = 'd'
          and not exists (select 1 from pg_depend d where d.objid = t.oid and d.deptype = 'e')
      union all
      select 2, t.relname::text, 'create type ' || quote_ident(t.relname) || ' as ('
          || (select string_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum)
            from pg_attribute a where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped)
          || ')' from relations t where t.relkind = 'c'
      union all
      select 2, s.relname::text, 'create sequence ' || quote_ident(s.relname) || q.type || rtrim(' ' || q.options)
        from relations s join sequences q on q.seqrelid = s.oid where s.relkind = 'S'
          and not exists (select 1 from pg_depend d where d.objid = s.oid and d.deptype = 'i')
      union all
      select 2, p.proname::text, pg_get_functiondef(p.oid) from pg_proc p
        where p.pronamespace = current_schema()::regnamespace and p.prokind in ('f', 'p')
          and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      union all
      select 3, r.relname::text, 'create table ' || quote_ident(r.relname) || ' (' || chr(10) || concat_ws(
          ',' || chr(10),
          (select string_agg('  ' || quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
              || case when a.attcollation not in (0, 100) then ' collate ' || a.attcollation::regcollation else '' end
              || case when a.attgenerated = 's' then ' generated always as (' || a.value || ') stored'
                when a.attidentity <> '' then case a.attidentity when 'a' then ' generated always as identity'
                  else ' generated by default as identity' end || coalesce((select ' (' || nullif(q.options, '') || ')'
                  from pg_depend i join sequences q on q.seqrelid = i.objid
                  where i.refobjid = a.attrelid and i.refobjsubid = a.attnum and i.deptype = 'i'), '')
                else coalesce(' default ' || a.value, '') end
              || case when a.attnotnull then ' not null' else '' end, ',' || chr(10) order by a.attnum)
            from (select a.*, pg_get_expr(d.adbin, d.adrelid) as value from pg_attribute a
                left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum) a
            where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped),
          (select texts from constraints where conrelid = r.oid)
        ) || chr(10) || ')' || coalesce(' partition by ' || pg_get_partkeydef(r.oid), '')
        from relations r where r.relkind in ('r', 'p')
      union all
      select 4, i.relname::text, replace(pg_get_indexdef(i.oid), ' ON ONLY ', ' ON ')
        from relations i join pg_index x on x.indexrelid = i.oid
        where not exists (select 1 from pg_constraint k where k.conindid = i.oid)
      union all
      select 5, r.relname::text, case r.relkind when 'm' then 'create materialized view ' else 'create view ' end
          || quote_ident(r.relname) || coalesce(' with (' || array_to_string(r.reloptions, ', ') || ')', '')
          || ' as ' || pg_get_viewdef(r.oid) from relations r where r.relkind in ('v', 'm')
      union all
      select 6, t.tgname::text, pg_get_triggerdef(t.oid) from pg_trigger t join relations r on r.oid = t.tgrelid
        where not t.tgisinternal and t.tgparentid = 0
      union all
      select 7, r.relname::text, 'alter table ' || quote_ident(r.relname) || ' enable row level security'
          || case when r.relforcerowsecurity then ', force row level security' else '' end
        from relations r where r.relrowsecurity
      union all
      select 8, p.tablename || p.policyname, concat_ws(' ', 'create policy', quote_ident(p.policyname), 'on',
          quote_ident(p.tablename), 'as', p.permissive, 'for', p.cmd, 'to', array_to_string(p.roles, ', '),
          'using (' || p.qual || ')', 'with check (' || p.with_check || ')')
        from pg_policies p where p.schemaname = current_schema()
    ) definitions order by rank, name`;
}
