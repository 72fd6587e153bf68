package corfu.cli.log;

import corfu.protocol.Address;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Reads a long range of a log in pieces, each while the caller handles the previous one. Pieces
 * grow while entries are small, and shrink when they are large, so that memory stays bounded.
 */
public final class LogScan {

  private static final int FIRST_PIECE = 64;
  private static final int LARGEST_PIECE = 4096;
  private static final long SMALL_BYTES = 1 << 20;
  private static final long LARGE_BYTES = 4 << 20;

  private final Log log;
  private int piece = FIRST_PIECE;

  public LogScan(Log log) {
    this.log = log;
  }

  /**
   * Passes every entry from {@code from} up to, not including, {@code to} to a consumer, in that
   * order.
   */
  public void forEach(long from, long to, Consumer<LogEntry> consumer) {
    if (from >= to) {
      return;
    }
    long next = from;
    var ahead = fetch(next, to);
    while (next < to) {
      List<LogEntry> entries = ahead.join();
      next += entries.size();
      resize(entries);
      if (next < to) {
        ahead = fetch(next, to);
      }
      entries.forEach(consumer);
    }
  }

  private CompletableFuture<List<LogEntry>> fetch(long from, long to) {
    long end = Math.min(to, from + piece);
    return CompletableFuture.supplyAsync(
        () -> log.read(new Address(from), new Address(end)), Thread::startVirtualThread);
  }

  private void resize(List<LogEntry> entries) {
    long bytes = 0;
    for (LogEntry entry : entries) {
      bytes += entry instanceof LogEntry.Data data ? data.payload().remaining() : 0;
    }
    if (bytes > LARGE_BYTES) {
      piece = Math.max(1, piece / 4);
    } else if (bytes < SMALL_BYTES) {
      piece = Math.min(LARGEST_PIECE, piece * 2);
    }
  }
}
