package corfu.runtime;

import java.util.concurrent.CompletableFuture;

/** A read of one address on its way. */
record PendingRead(long address, Deadline deadline, CompletableFuture<LogEntry> done) {}
