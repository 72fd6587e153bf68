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
 * Tells the layout servers how far this server's log unit has come, with each sign of life; and
 * when it starts, before it serves anybody, hears from a majority of them whether its disk has once
 * had more: then somebody has set it back to an older image, or it has lost what it had
 * acknowledged. Lives on the server's loop; requests leave on threads of their own.
 */
final class RollbackDetector {

  private static final Logger LOG = LoggerFactory.getLogger(RollbackDetector.class);

  /** Who waits to serve asks so much more often. */
  private static final int HASTE = 8;

  /** What has not changed is told every so many times: others may have forgotten it. */
  private static final int REPEAT = 16;

  private final World world;
  private final Loop loop;
  private final Endpoint self;
  private final LogUnit unit;
  private final Supplier<List<Endpoint>> layoutServers;
  private final Supplier<Epoch> newest;
  private final Duration signs;
  private final Machine machine;

  /** What was there when the unit was opened. */
  private final Progress opened;

  private final Set<Endpoint> vouchers = new HashSet<>();
  private Optional<Transport> transport = Optional.empty();
  private World.Timer timer = () -> {};
  private Progress told = Progress.NONE;
  private int unchanged;

  /**
   * @param newest the newest epoch that this server has heard of
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
   * As long as it is doubted, what was there when it was opened: what upkeep does meanwhile must
   * not come back as what the disk once had.
   */
  private Progress known() {
    return unit.trust().isDoubted() ? opened : unit.progress();
  }

  /** A seal of an epoch that has not been decided may be taken back. */
  private Progress believed(Progress now) {
    return newest.get().isBefore(now.sealed())
        ? new Progress(now.segment(), now.offset(), newest.get(), now.installed())
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
