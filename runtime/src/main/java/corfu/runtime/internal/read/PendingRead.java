package corfu.runtime.internal.read;

import corfu.runtime.Deadline;
import corfu.runtime.LogEntry;
import java.util.concurrent.CompletableFuture;

/** A read of one address on its way. */
record PendingRead(long address, Deadline deadline, CompletableFuture<LogEntry> done) {}
