// Locks a database as a program that hangs in the middle of writing does, until its standard input ends.
import SqlDatabase from "libsql";

const db = new SqlDatabase(process.argv[2]);
db.exec("PRAGMA busy_timeout = 20000; BEGIN IMMEDIATE");
process.stdin.resume().on("end", () => {
  db.exec("ROLLBACK");
  db.close();
});
process.stdout.write("held\n");
