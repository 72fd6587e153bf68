package corfu.silver.mount;

import corfu.fuse.mount.Counters;
import corfu.fuse.mount.FuseMount;
import corfu.silver.Silver;
import corfu.silver.SilverStatistics;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** The work of a mount, as {@code .silver/stats} shows it. Thread-safe. */
final class MountStatistics {

  private final Silver silver;
  private final MountedData data;
  private final LongAdder bytesRead = new LongAdder();
  private final LongAdder bytesWritten = new LongAdder();
  private volatile Optional<FuseMount> mount = Optional.empty();

  MountStatistics(Silver silver, MountedData data) {
    this.silver = silver;
    this.data = data;
  }

  void mounted(FuseMount by) {
    mount = Optional.of(by);
  }

  void read(long bytes) {
    bytesRead.add(bytes);
  }

  void written(long bytes) {
    bytesWritten.add(bytes);
  }

  /** Returns a line for each number: its name, a space, and the number. */
  String text() {
    var text = new StringBuilder();
    mount.ifPresent(of -> addRequests(text, of));
    add(text, "bytes-read", bytesRead.sum());
    add(text, "bytes-written", bytesWritten.sum());
    SilverStatistics statistics = silver.statistics();
    add(text, "node-cache-hits", statistics.nodeHits());
    add(text, "node-cache-misses", statistics.nodeMisses());
    add(text, "nodes-in-memory", statistics.nodesInMemory());
    add(text, "data-cache-hits", statistics.dataHits());
    add(text, "data-cache-misses", statistics.dataMisses());
    add(text, "waiting-bytes", data.waitingBytes());
    add(text, "entries-appended", statistics.entriesAppended());
    return text.toString();
  }

  private static void addRequests(StringBuilder text, FuseMount mount) {
    Counters counters = mount.counters();
    add(text, "requests", counters.requests());
    add(text, "bytes-from-kernel", counters.bytesRead());
    add(text, "bytes-to-kernel", counters.bytesWritten());
    mount
        .requestsByKind()
        .forEach(
            (kind, count) ->
                add(
                    text,
                    "requests-" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    count));
  }

  private static void add(StringBuilder text, String name, long value) {
    text.append(name).append(' ').append(value).append('\n');
  }
}
