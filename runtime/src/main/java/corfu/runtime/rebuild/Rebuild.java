package corfu.runtime.rebuild;

import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Endpoint;
import corfu.protocol.Limits;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.NodeReply;
import corfu.runtime.Deadline;
import corfu.runtime.UnavailableException;
import corfu.runtime.internal.layout.Layouts;
import corfu.runtime.internal.repair.ChainRepair;
import corfu.runtime.internal.rpc.Futures;
import corfu.runtime.internal.rpc.Retry;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.session.RetryLoop;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.transport.Transport;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Copies a segment to those units of its target that do not serve it yet (docs/design.md, section
 * 6; CORFU, section 3.2.2). A rebuild may be interrupted at any point, and continued by any other
 * process: the joining units tell which entries they have. Several may run at the same time; they
 * only waste work. Thread-safe.
 */
public final class Rebuild {

  /**
   * The longest time of one attempt at a piece. A piece is retried as long as the target stands.
   */
  private static final Duration PIECE_TIMEOUT = Duration.ofSeconds(10);

  /** The pause between two attempts. */
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final World world;
  private final Servers servers;
  private final Limits limits;
  private final RebuildOptions options;

  /**
   * @param requestTimeout the longest time of one request to one server
   * @param limits the cluster's limits
   */
  public Rebuild(
      World world,
      Transport transport,
      Duration requestTimeout,
      Limits limits,
      RebuildOptions options) {
    this.world = world;
    this.servers = new Servers(transport, requestTimeout);
    this.limits = limits;
    this.options = options;
  }

  /**
   * Copies until the units of the target hold all entries that they lacked, however long that
   * lasts.
   *
   * @param known any layout of the cluster
   * @param start the segment's first address
   * @param progress the receiver of progress after every piece
   * @return the layout under which everything was copied, for {@link Reconfiguration#finish}; empty
   *     if the newest layout has no such segment, or the segment has no target any more
   * @throws UnavailableException if no layout server answered in time
   */
  public Optional<Layout> run(Layout known, long start, Consumer<NodeReply.Rebuild> progress) {
    Layouts layouts =
        Layouts.discover(servers, known.layoutServers(), Deadline.in(world, PIECE_TIMEOUT));
    layouts.adopt(known);
    while (true) {
      Layout layout = layouts.current();
      Optional<LayoutSegment> segment = toBeCopied(layout, start);
      if (segment.isEmpty()) {
        return Optional.empty();
      }
      if (new Run(layouts, layout, segment.get(), progress).copy()) {
        return Optional.of(layout);
      }
    }
  }

  private static Optional<LayoutSegment> toBeCopied(Layout layout, long start) {
    return layout.segments().stream()
        .filter(segment -> segment.start() == start && segment.hasTarget())
        .findFirst();
  }

  /** The copying of all pieces of one segment, under one layout. */
  private final class Run {
    private final Layouts layouts;
    private final Layout layout;
    private final LayoutSegment segment;
    private final Consumer<NodeReply.Rebuild> progress;
    private final Copier copier;
    private final StreamTrimMarks marks;
    private final Pieces pieces;
    private final AtomicLong bytes = new AtomicLong();
    private final long startNanos = world.nanoTime();

    Run(
        Layouts layouts,
        Layout layout,
        LayoutSegment segment,
        Consumer<NodeReply.Rebuild> progress) {
      this.layouts = layouts;
      this.layout = layout;
      this.segment = segment;
      this.progress = progress;
      long client = world.random().nextLong();
      AtomicLong sequence = new AtomicLong();
      ChainRepair chainRepair =
          new ChainRepair(
              world,
              servers,
              new RetryLoop(world, layouts, PIECE_TIMEOUT, Optional.empty()),
              () -> new AppendId(client, sequence.incrementAndGet()));
      Throttle throttle = new Throttle(world, options.bytesPerSecond());
      this.copier = new Copier(servers, chainRepair, throttle, layout, segment, bytes);
      this.marks = new StreamTrimMarks(servers, layout, segment);
      this.pieces = new Pieces(segment, limits.maxAddressesPerRequest());
    }

    /** Returns true if everything is copied, or false if there is a newer layout. */
    boolean copy() {
      untilDone(deadline -> pieces.startAt(copier.skipWhatIsTrimmed(deadline)));
      for (int part = 0; part < StreamId.PARTS; part++) {
        int which = part;
        untilDone(deadline -> marks.tell(which, deadline));
      }
      List<CompletableFuture<Void>> workers = new ArrayList<>();
      for (int i = 0; i < options.workers(); i++) {
        CompletableFuture<Void> worker = new CompletableFuture<>();
        workers.add(worker);
        world.start(
            "corfu-rebuild-" + segment.start() + "-" + i,
            () -> {
              try {
                work();
                worker.complete(null);
              } catch (RuntimeException failure) {
                worker.completeExceptionally(failure);
              }
            });
      }
      workers.forEach(Futures::await);
      return isCurrent() && pieces.isEmpty();
    }

    private void work() {
      while (isCurrent()) {
        Optional<Pieces.Piece> piece = pieces.next();
        if (piece.isEmpty()) {
          return;
        }
        AddressSet.Strided addresses = piece.get().addresses();
        for (Endpoint joining : pieces.joining(piece.get())) {
          untilDone(deadline -> copier.copy(addresses, joining, deadline));
        }
        pieces.done(piece.get());
        report();
      }
    }

    /** Retries until an attempt succeeds or the layout has changed. */
    private void untilDone(Consumer<Deadline> step) {
      boolean unused = Retry.untilDone(() -> tried(step), this::mend);
    }

    /** Returns false, without an attempt, if the layout has changed. */
    private boolean tried(Consumer<Deadline> step) {
      boolean isCurrent = isCurrent();
      if (isCurrent) {
        step.accept(Deadline.in(world, PIECE_TIMEOUT));
      }
      return isCurrent;
    }

    private void mend(RetryableException failure) {
      if (failure.isForbidden()) {
        throw failure.refusedCall("copy to a replica");
      }
      layouts.mend(failure, Deadline.in(world, PIECE_TIMEOUT));
      world.pause(PAUSE);
    }

    private boolean isCurrent() {
      return layouts.current().epoch().equals(layout.epoch());
    }

    private void report() {
      progress.accept(
          new NodeReply.Rebuild(
              segment.start(),
              segment.end(),
              pieces.doneTo(),
              bytes.get(),
              world.millisSince(startNanos)));
    }
  }
}
