#ifndef DRAY_CSQLITE_SHIM_H
#define DRAY_CSQLITE_SHIM_H

#include <sqlite3.h>

/* Wraps variadic functions, which Swift cannot call. */

/* Makes "a" always the name of a column, and never a text in case there is no such column. */
static inline void dray_sqlite3_refuse_quoted_texts(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
}

/* Keeps SQLite from counting its memory. The count takes a lock for each allocation. Call it before the first
   connection is opened; later calls do nothing. */
static inline void dray_sqlite3_count_no_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

#endif
