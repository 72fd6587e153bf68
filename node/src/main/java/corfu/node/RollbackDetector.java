package corfu.node;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.Progress;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.LogUnit;
import corfu.transport.Transport;
import corfu.world.Loop;
import corfu.world.World;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the progress of this server's log unit to the layout servers with each sign of life. At
 * its start, before the unit serves requests, it asks a majority of them whether its disk once had
 * more. If so, the disk was set back to an older image, or has lost acknowledged data. Lives on the
 * server's loop; requests leave on threads of their own.
 */
final class RollbackDetector {

  private static final Logger LOG = LoggerFactory.getLogger(RollbackDetector.class);

  /** The factor by which a unit that waits to serve asks more often. */
  private static final int HASTE = 8;

  /**
   * The number of signs of life after which unchanged progress is reported again, because layout
   * servers may have forgotten it.
   */
  private static final int REPEAT = 16;

  private final World world;
  private final Loop loop;
  private final Endpoint self;
  private final LogUnit unit;
  private final Supplier<List<Endpoint>> layoutServers;
  private final Supplier<Epoch> newest;
  private final Duration signs;
  private final Machine machine;

  /** The progress when the unit was opened. */
  private final Progress opened;

  private final Set<Endpoint> vouchers = new HashSet<>();
  private Optional<Transport> transport = Optional.empty();
  private World.Timer timer = () -> {};
  private Progress told = Progress.NONE;
  private int unchanged;

  /**
   * @param world the clock and timers
   * @param loop the server's loop
   * @param self the server's endpoint
   * @param unit the log unit
   * @param layoutServers returns the layout servers
   * @param newest returns the newest epoch that this server has heard of
   * @param signs the time between two signs of life
   * @param machine the server's environment
   */
  RollbackDetector(
      World world,
      Loop loop,
      Endpoint self,
      LogUnit unit,
      Supplier<List<Endpoint>> layoutServers,
      Supplier<Epoch> newest,
      Duration signs,
      Machine machine) {
    this.world = world;
    this.loop = loop;
    this.self = self;
    this.unit = unit;
    this.layoutServers = layoutServers;
    this.newest = newest;
    this.signs = signs;
    this.machine = machine;
    this.opened = unit.progress();
  }

  void start(Transport way) {
    transport = Optional.of(way);
    tick();
  }

  void stop() {
    transport = Optional.empty();
    timer.cancel();
  }

  private void tick() {
    if (transport.isEmpty()) {
      return;
    }
    Duration pause = unit.trust().isDoubted() ? signs.dividedBy(HASTE) : signs;
    timer = world.after(pause.toNanos(), () -> loop.execute(this::tick));
    Progress now = believed(known());
    unchanged = now.equals(told) ? unchanged + 1 : 0;
    if (unit.trust().isDoubted() || unchanged % REPEAT == 0) {
      told = now;
      tell(transport.get(), unit.incarnation(), now);
    }
  }

  /**
   * Returns the known progress. While the unit is doubted, this is the progress at its opening:
   * later maintenance must not come back as former progress of the disk.
   */
  private Progress known() {
    return unit.trust().isDoubted() ? opened : unit.progress();
  }

  /** Limits the sealed epoch, because the seal of an undecided epoch may be taken back. */
  private Progress believed(Progress now) {
    return newest.get().isBefore(now.sealed())
        ? new Progress(now.logFile(), now.offset(), newest.get(), now.installed())
        : now;
  }

  private void tell(Transport way, Incarnation life, Progress now) {
    LayoutRequest request = new LayoutRequest.Remember(self, life, now);
    List<Endpoint> all = layoutServers.get();
    world.start(
        "corfu-progress",
        () -> {
          for (Endpoint each : all) {
            var unused =
                way.peer(each)
                    .send(request, signs.toNanos())
                    .thenAccept(reply -> loop.execute(() -> take(each, life, reply)));
          }
        });
  }

  private void take(Endpoint from, Incarnation life, Reply reply) {
    if (transport.isEmpty()
        || !life.equals(unit.incarnation())
        || !(reply instanceof LayoutReply.Remembered(Optional<Progress> before))) {
      return;
    }
    Progress now = known();
    if (before.filter(now::isBehind).isPresent()) {
      if (!unit.trust().isSetBack()) {
        unit.setBack(now, before.get(), () -> machine.recognised("log-unit", life, false));
        LOG.error("server at {} does not use its log unit: {}", self, unit.detail());
      }
    } else if (unit.trust().isDoubted()) {
      vouchers.add(from);
      hearVouchers(life);
    }
  }

  private void hearVouchers(Incarnation life) {
    List<Endpoint> all = layoutServers.get();
    if (all.stream().filter(vouchers::contains).count() > all.size() / 2) {
      unit.trust().vouch();
      machine.recognised("log-unit", life, true);
    }
  }
}
