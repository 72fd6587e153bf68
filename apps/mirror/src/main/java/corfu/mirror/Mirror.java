package corfu.mirror;

import corfu.mirror.MirrorException.Reason;
import corfu.protocol.Address;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Origin;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.LogEntry;
import corfu.runtime.mirror.Import;
import corfu.runtime.reconfiguration.ClusterHealth;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.world.World;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Copies the log of one cluster into another, at the same addresses. The target always shows a
 * prefix of the source's log, with the same streams, versions and snapshots. An entry of several
 * streams is in all of them or in none.
 *
 * <p>The mirror's progress is in its own log only. So a run may be killed at any moment, and
 * another one continues. Two runs at the same time repeat work, and do no harm. For one thread.
 */
public final class Mirror {

  /** The approximate size of a piece of entries in memory. */
  private static final long PIECE_BYTES = 4L << 20;

  private static final int FIRST_PIECE = 16;

  private final Corfu source;
  private final Corfu target;
  private final Reconfiguration changes;
  private final MirrorOptions options;
  private final World world;
  private final TrimReplication forgetting;
  private final MirrorMonitor lookout;
  private volatile Origin origin;
  private Import into;
  private Optional<Address> next = Optional.empty(); // empty: ask the target
  private int piece;
  private long lookedAtNanos;

  private Mirror(
      Corfu source, Corfu target, Reconfiguration changes, MirrorOptions options, Layout layout) {
    this.source = source;
    this.target = target;
    this.changes = changes;
    this.options = options;
    this.world = target.streamAccess().world();
    this.forgetting = new TrimReplication(source, target);
    this.lookout = new MirrorMonitor(target, world, layout.epoch());
    this.origin = layout.origin().orElseThrow();
    this.into = new Import(target, origin, REFUSALS);
    this.piece = Math.min(FIRST_PIECE, options.maxPiece());
    this.lookedAtNanos = world.nanoTime();
  }

  /**
   * Starts a mirror, or continues one.
   *
   * @param target a new cluster, or a mirror of the source
   * @param changes the means to change the target's layout
   * @throws MirrorException if the target is neither
   */
  public static Mirror open(
      Corfu source, Corfu target, Reconfiguration changes, MirrorOptions options) {
    Layout from = source.layout();
    Layout to = changes.serve(target.layout());
    if (from.clusterId().equals(to.clusterId())) {
      throw new MirrorException(
          Reason.ITSELF, "cluster %s cannot mirror itself".formatted(from.clusterId()));
    }
    Origin wanted = new Origin(from.clusterId(), options.streams(), source.log().tail().value());
    Layout mirrored =
        to.origin().isPresent() ? to : new MirrorStart(source, target, changes).mirror(to, wanted);
    Origin origin = mirrored.origin().orElseThrow();
    if (!origin.source().equals(wanted.source()) || !origin.streams().equals(wanted.streams())) {
      throw new MirrorException(
          Reason.OTHER_SOURCE,
          "cluster %s mirrors %s of cluster %s, but not %s of %s: take a fresh one"
              .formatted(
                  to.clusterId(), what(origin), origin.source(), what(wanted), wanted.source()));
    }
    return new Mirror(source, target, changes, options, mirrored);
  }

  private static String what(Origin origin) {
    return origin.streams().isEmpty() ? "everything" : "streams " + origin.streams();
  }

  private static final Import.Refusals REFUSALS =
      new Import.Refusals() {
        @Override
        public RuntimeException isNoMirror(Layout layout) {
          return layout.origin().isEmpty()
              ? new MirrorException(
                  Reason.PROMOTED,
                  "cluster %s has been promoted: it mirrors nothing any more"
                      .formatted(layout.clusterId()))
              : new MirrorException(
                  Reason.OTHER_SOURCE,
                  "cluster %s mirrors something else: %s"
                      .formatted(layout.clusterId(), layout.origin().get()));
        }

        @Override
        public RuntimeException hasDiverged(Address address) {
          return new MirrorException(
              Reason.DIVERGED,
              "the mirror holds something else at address %s than its source: somebody filled or"
                      .formatted(address)
                  + " wrote it there; mirror into a fresh cluster");
        }
      };

  /**
   * Copies a piece, if there is one.
   *
   * @return the number of copied addresses
   * @throws MirrorException if the mirror can never continue
   * @throws CorfuException if a cluster did not answer; the same call may be repeated
   */
  public int step() {
    try {
      return tryStep();
    } catch (RuntimeException failed) {
      next = Optional.empty();
      throw failed;
    }
  }

  private int tryStep() {
    Address from = next.orElseGet(() -> target.log().tail());
    forget(from);
    long tail = source.log().tail().value();
    if (from.value() >= tail) {
      next = Optional.of(from);
      return 0;
    }
    Address beginning = source.streamAccess().beginning();
    if (from.compareTo(beginning) < 0) {
      return skip(from, beginning);
    }
    long below = Math.min(tail, from.value() + piece);
    List<LogEntry> entries = decided(source.log().read(from, new Address(below)));
    if (entries.isEmpty()) {
      next = Optional.of(from);
      return 0;
    }
    List<LogEntry> copied = upToACut(entries);
    if (copied.isEmpty()) {
      isCutOff(from);
      copied = entries;
    }
    into.write(copied);
    next = Optional.of(new Address(from.value() + copied.size()));
    adjust(entries);
    return copied.size();
  }

  /**
   * Returns the decided entries. The source's tail may be too high: the next epoch issues unused
   * addresses again.
   */
  private static List<LogEntry> decided(List<LogEntry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) instanceof LogEntry.Unwritten) {
        return entries.subList(0, i);
      }
    }
    return entries;
  }

  /** Returns the entries up to the first trimmed one that the mirror lacks. */
  private List<LogEntry> upToACut(List<LogEntry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      Address address = entries.get(i).address();
      if (entries.get(i) instanceof LogEntry.Trimmed && address.value() >= origin.completeFrom()) {
        return entries.subList(0, i);
      }
    }
    return entries;
  }

  /** Skips the addresses that the source has trimmed. */
  private int skip(Address from, Address beginning) {
    if (beginning.value() > origin.completeFrom()) {
      isCutOff(from);
    }
    into.skipTo(beginning);
    next = Optional.of(beginning);
    return (int) Math.min(Integer.MAX_VALUE, beginning.value() - from.value());
  }

  private void isCutOff(Address from) {
    if (options.cutOff() == MirrorOptions.CutOff.REFUSE) {
      throw new MirrorException(
          Reason.CUT_OFF,
          "cluster %s has given up address %s, which is not copied yet: the mirror was cut off for"
                  .formatted(origin.source(), from)
              + " longer than history is kept. Promote it as it is, begin anew with a fresh"
              + " cluster, or go on without what is lost");
    }
    Origin until = new Origin(origin.source(), origin.streams(), source.log().tail().value());
    Layout known = target.layout();
    Optional<Origin> before = Optional.of(origin);
    Layout decided =
        changes.change(
            known,
            layout ->
                layout.origin().equals(before) ? layout.withOrigin(Optional.of(until)) : layout,
            ClusterHealth.calm(known));
    origin = decided.origin().orElse(until);
    into = new Import(target, origin, REFUSALS);
  }

  private void adjust(List<LogEntry> entries) {
    long bytes = 0;
    for (LogEntry entry : entries) {
      bytes += entry instanceof LogEntry.Data data ? data.payload().remaining() : 0;
    }
    if (bytes > PIECE_BYTES) {
      piece = Math.max(1, piece / 4);
    } else if (bytes < PIECE_BYTES / 4) {
      piece = Math.min(options.maxPiece(), piece * 2);
    }
  }

  private void forget(Address copied) {
    if (world.nanoTime() - lookedAtNanos >= options.forgetEvery().toNanos()) {
      lookedAtNanos = world.nanoTime();
      forgetting.look(origin);
    }
    forgetting.forget(copied);
  }

  /**
   * Copies until the caller stops it, through failures of either cluster. It notices a promotion of
   * the mirror soon, as long as a server of the mirror answers. That also holds while there is
   * nothing to copy, or while the source is silent.
   *
   * @param goOn asked after each piece whether to continue
   * @param trouble receives the reason why a piece failed; the run repeats the piece
   * @throws MirrorException if the mirror can never continue; {@link Reason#PROMOTED} is how a
   *     mirror ends
   */
  public void run(BooleanSupplier goOn, Consumer<CorfuException> trouble) {
    while (goOn.getAsBoolean()) {
      try {
        if (whileItIsOne(this::step) == 0) {
          throwIfItIsNone();
          world.pause(options.poll());
        }
      } catch (CorfuException away) {
        trouble.accept(away);
        throwIfItIsNone();
        world.pause(options.poll());
      }
    }
  }

  private <T> T whileItIsOne(Supplier<T> task) {
    return lookout.meanwhile(task, () -> lookout.other(origin).map(REFUSALS::isNoMirror));
  }

  private void throwIfItIsNone() {
    Optional<Layout> other = lookout.other(origin);
    if (other.isPresent()) {
      throw REFUSALS.isNoMirror(other.get());
    }
  }

  /**
   * Returns the mirror's status. Waits for the source up to the source's operation timeout.
   *
   * @throws MirrorException if the mirror was promoted while the source was silent
   */
  public MirrorStatus status() {
    return whileItIsOne(() -> status(target, Optional.of(source)));
  }

  /** Returns the status of a mirror, whether a run copies or not. */
  public static MirrorStatus status(Corfu target, Optional<Corfu> source) {
    Address copied = target.log().tail();
    Layout layout = target.layout();
    return new MirrorStatus(
        layout.clusterId(), copied, layout.origin(), source.flatMap(Mirror::tail));
  }

  private static Optional<Address> tail(Corfu source) {
    try {
      return Optional.of(source.log().tail());
    } catch (CorfuException silent) {
      return Optional.empty();
    }
  }
}
