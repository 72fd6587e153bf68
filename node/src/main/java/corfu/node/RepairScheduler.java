package corfu.node;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.roles.logunit.LogUnit;
import corfu.runtime.rebuild.EntryRepair;
import corfu.transport.Transport;
import corfu.transport.TransportException;
import corfu.world.Loop;
import corfu.world.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains the entries of this server's log unit. It runs the scrubber. It also has unreadable
 * entries repaired from other log units, as soon as a reader, a writer or the scrubber has found
 * them. Lives on the server's loop. The requests leave on a thread of their own, one address after
 * the other.
 */
final class RepairScheduler {

  private static final Logger LOG = LoggerFactory.getLogger(RepairScheduler.class);

  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration SCRUB_EVERY = Duration.ofMillis(100);
  private static final int AT_ONCE = 64;

  /**
   * The number of attempts that must find no other copy. An entry that is only in its first
   * register may be in flight to the others, so there is a pause between attempts.
   */
  private static final int LOOKS = 5;

  private final World world;
  private final Loop loop;
  private final Endpoint self;
  private final LogUnit unit;

  /** The number of attempts without a copy, by address. */
  private final Map<Long, Integer> nowhere = new HashMap<>();

  private Optional<EntryRepair> mending = Optional.empty();
  private World.Timer timer = () -> {};
  private World.Timer scrubbing = () -> {};
  private boolean busy;
  private boolean stopped;

  RepairScheduler(World world, Loop loop, Endpoint self, LogUnit unit) {
    this.world = world;
    this.loop = loop;
    this.self = self;
    this.unit = unit;
  }

  void start(Transport transport) {
    mending = Optional.of(new EntryRepair(world, transport, TIMEOUT));
    unit.whenCorrupt(() -> loop.execute(this::look));
    look();
    scrub();
  }

  private void scrub() {
    if (!stopped) {
      scrubbing = world.after(SCRUB_EVERY.toNanos(), () -> loop.execute(this::scrub));
      unit.scrub();
    }
  }

  void stop() {
    stopped = true;
    timer.cancel();
    scrubbing.cancel();
  }

  private void look() {
    if (busy || stopped || mending.isEmpty()) {
      return;
    }
    List<Long> corrupt = unit.corrupt(AT_ONCE);
    nowhere.keySet().retainAll(corrupt);
    Optional<Layout> layout = unit.layout().filter(known -> isMine(known));
    if (corrupt.isEmpty()) {
      return;
    }
    if (layout.isEmpty()) {
      lookAgain();
      return;
    }
    busy = true;
    world.start("corfu-mend", () -> mend(mending.get(), layout.get(), corrupt));
  }

  private boolean isMine(Layout layout) {
    return layout.reliesOnUnit(unit.incarnation());
  }

  /** Repairs entries, on a thread of its own. */
  private void mend(EntryRepair how, Layout layout, List<Long> corrupt) {
    Map<Long, EntryRepair.Outcome> outcomes = new HashMap<>();
    try {
      for (long address : corrupt) {
        outcomes.put(address, how.mend(layout, self, address));
      }
    } catch (TransportException obstacle) {
      LOG.warn(
          "cannot repair unreadable entries of the log unit at {}: {}",
          self,
          obstacle.getMessage());
    } finally {
      loop.execute(() -> conclude(layout, outcomes));
    }
  }

  private void conclude(Layout layout, Map<Long, EntryRepair.Outcome> outcomes) {
    busy = false;
    if (stopped) {
      return;
    }
    outcomes.forEach(
        (address, outcome) -> {
          if (outcome != EntryRepair.Outcome.NOBODY_HAS_IT) {
            nowhere.remove(address);
          } else if (nowhere.merge(address, 1, Integer::sum) >= LOOKS
              && unit.layout().equals(Optional.of(layout))) {
            LOG.error(
                "the log unit at {} cannot read its entry at address {}, and no other log unit has"
                    + " it: the entry was not acknowledged, and the unit has to leave the layout",
                self,
                address);
            unit.hasLost(address);
          }
        });
    lookAgain();
  }

  /** Looks again later, also for entries that were found meanwhile. */
  private void lookAgain() {
    timer.cancel();
    timer = world.after(PAUSE.toNanos(), () -> loop.execute(this::look));
  }
}
