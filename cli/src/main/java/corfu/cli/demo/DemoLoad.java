package corfu.cli.demo;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.cli.output.ProgressBar;
import corfu.cli.output.Terminal;
import corfu.cli.output.Units;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.runtime.Corfu;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The first part of the demo: clients append all lines, and half way the demo kills a node. */
final class DemoLoad {

  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration MENDING = Duration.ofSeconds(60);

  private final EmbeddedCluster cluster;
  private final DemoInput input;
  private final Terminal terminal;
  private final String victim;

  /**
   * @param victim the name of the node to be killed
   */
  DemoLoad(EmbeddedCluster cluster, DemoInput input, Terminal terminal, String victim) {
    this.cluster = cluster;
    this.input = input;
    this.terminal = terminal;
    this.victim = victim;
  }

  /**
   * The result of the load.
   *
   * @param appended the time of all appends
   * @param appendPause the longest time in which no append was acknowledged
   * @param readPause the longest time of a read
   * @param mended the time from the kill until every entry had all its copies again
   */
  record Seen(
      Duration appended,
      Duration appendPause,
      Duration readPause,
      Duration mended,
      Layout before,
      Layout after) {

    /** Returns the log units that replaced the killed one. */
    Set<Endpoint> newUnits() {
      Set<Endpoint> fresh = new LinkedHashSet<>(after.logUnits());
      fresh.removeAll(before.logUnits());
      return fresh;
    }

    long epochs() {
      return after.epoch().value() - before.epoch().value();
    }
  }

  /**
   * Runs the load.
   *
   * @throws CommandException if an append or a read fails, or the rebuild takes too long
   */
  Seen run() throws InterruptedException, ExecutionException {
    try (Corfu observer = DemoClients.connect(cluster);
        var progress = new ProgressBar("appending", input.lines(), terminal);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Layout before = observer.layout();
      var watch = new PauseMonitor();
      var written = new CountDownLatch(1);
      Future<Long> killed = threads.submit(() -> killHalfWay(watch, written));
      Future<?> reading =
          threads.submit(
              () -> {
                watch.read(observer);
                return null;
              });
      try {
        write(threads, progress, watch);
      } finally {
        written.countDown();
      }
      Duration appended = progress.elapsed();
      long killedAt = killed.get();
      Layout after = awaitMended(observer);
      Duration mended = Duration.ofNanos(System.nanoTime() - killedAt);
      watch.end();
      reading.get();
      return new Seen(
          appended, watch.longestAppendPause(), watch.longestRead(), mended, before, after);
    }
  }

  private void write(ExecutorService threads, ProgressBar progress, PauseMonitor watch)
      throws InterruptedException, ExecutionException {
    List<Future<?>> writing = new ArrayList<>();
    for (int writer = 0; writer < input.writers(); writer++) {
      var writes = new DemoWriter(DemoClients.connect(cluster).log(), writer, progress, watch);
      writing.add(
          threads.submit(
              () -> {
                writes.write(input);
                return null;
              }));
    }
    for (Future<?> each : writing) {
      each.get();
    }
  }

  /** Kills the node half way, and returns the time of the kill. */
  private long killHalfWay(PauseMonitor watch, CountDownLatch written) throws InterruptedException {
    while (watch.acknowledged() < input.lines() / 2 && written.getCount() > 0) {
      Thread.sleep(POLL.dividedBy(10));
    }
    long now = System.nanoTime();
    cluster.kill(victim);
    return now;
  }

  private Layout awaitMended(Corfu observer) throws InterruptedException {
    long start = System.nanoTime();
    while (true) {
      observer.servers(); // asks for the newest layout, too
      Layout layout = observer.layout();
      if (isMended(layout)) {
        return layout;
      }
      if (System.nanoTime() - start > MENDING.toNanos()) {
        throw new CommandException(
            ExitCode.FAILED,
            "%s after %s was killed, entries miss copies still: %s"
                .formatted(Units.time(MENDING), victim, layout));
      }
      Thread.sleep(POLL);
    }
  }

  private boolean isMended(Layout layout) {
    return layout.logUnits().stream().noneMatch(unit -> cluster.nameOf(unit).equals(victim))
        && layout.openSegment().units().size() == layout.wanted().units()
        && layout.segments().stream().allMatch(segment -> isWhole(segment, layout));
  }

  private static boolean isWhole(LayoutSegment segment, Layout layout) {
    return !segment.hasTarget()
        && segment.log().stream()
            .allMatch(chain -> chain.replicas().size() == layout.wanted().replicas());
  }
}
