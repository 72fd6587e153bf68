package corfu.runtime.internal.read;

import corfu.runtime.Deadline;
import corfu.runtime.LogEntry;
import java.util.concurrent.CompletableFuture;

/** An unfinished read of one address. */
record PendingRead(long address, Deadline deadline, CompletableFuture<LogEntry> done) {}
