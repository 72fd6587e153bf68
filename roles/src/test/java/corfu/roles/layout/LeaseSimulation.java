package corfu.roles.layout;

import static corfu.roles.layout.Layouts.ballot;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutReply.Granted;
import corfu.protocol.message.LayoutReply.Promised;
import corfu.protocol.message.LayoutReply.RunningLease;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LayoutRequest.Learn;
import corfu.protocol.message.LayoutRequest.Prepare;
import corfu.protocol.message.LayoutRequest.Renew;
import corfu.protocol.message.Reply;
import corfu.roles.FaultDisk;
import corfu.world.Offload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Simulates layout servers that restart and may lose their disks, a log unit that renews its lease
 * all the time, and a proposer. The proposer drops this unit from the layout without having sealed
 * it, as soon as the rule of the leases allows it. All clocks differ. One seed decides everything.
 */
final class LeaseSimulation {

  private static final long MILLI = 1_000_000;
  private static final long END = 4_000 * MILLI;
  private static final Endpoint UNIT = new Endpoint("server", 1);
  private static final Endpoint FORMER_UNIT = new Endpoint("server", 2);

  private final SplittableRandom random;
  private final String name;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::number));
  private final List<Clock> clocks = new ArrayList<>();
  private final List<Acceptor> acceptors = new ArrayList<>();
  private final int majority;
  private final Layout before;
  private final Layout current;
  private final Unit unit;
  private final Proposer proposer;
  private long now;
  private long numbered;
  private int disksToLose;

  /** A scheduled event. The number orders events of one instant. */
  private record Event(long time, long number, Runnable what) {}

  /** A machine's clock, up to a tenth fast or slow. */
  private record Clock(HandWorld world, double rate) {}

  /**
   * The outcome of a run.
   *
   * @param sawPhase2 whether the proposer came to phase 2
   * @param heldLease whether the unit had a lease when the proposer started
   */
  record Outcome(boolean sawPhase2, boolean heldLease) {}

  LeaseSimulation(long seed, int acceptorCount) {
    this.name = "seed " + seed + " with " + acceptorCount + " layout servers";
    this.random = new SplittableRandom(seed);
    this.majority = acceptorCount / 2 + 1;
    this.unit = new Unit();
    this.proposer = new Proposer();
    this.disksToLose = random.nextInt(acceptorCount - majority + 1);
    for (int i = 0; i < acceptorCount; i++) {
      acceptors.add(new Acceptor());
    }
    List<Incarnation> lives = acceptors.stream().map(a -> a.server.incarnation()).toList();
    before = Layouts.layout(2, 1, lives);
    current = Layouts.layout(3, 0, lives);
    assertThat(before.servers()).contains(FORMER_UNIT).doesNotContain(UNIT);
    assertThat(current.servers()).contains(UNIT);
  }

  Outcome run() {
    for (Acceptor acceptor : acceptors) {
      acceptor.learn(random.nextInt(3) == 0 ? before : current);
      int restarts = random.nextInt(3);
      for (int i = 0; i < restarts; i++) {
        after(random.nextLong(END / 2), acceptor::restart);
      }
    }
    after(random.nextLong(100 * MILLI), unit::renewForEver);
    after(500 * MILLI + random.nextLong(500 * MILLI), proposer::setOut);
    while (!events.isEmpty() && events.peek().time() < END) {
      Event next = events.remove();
      for (Clock clock : clocks) {
        clock.world().passNanos((long) ((next.time() - now) * clock.rate()));
      }
      now = next.time();
      next.what().run();
      if (proposer.sentPhase2) {
        assertThat(unit.holdsLease()).as("%s: a lease at %d ns", name, now).isFalse();
      }
    }
    return new Outcome(proposer.sentPhase2, proposer.unitHeldLease);
  }

  private void after(long nanos, Runnable what) {
    events.add(new Event(now + nanos, numbered++, what));
  }

  private HandWorld clock() {
    HandWorld world = new HandWorld(random.nextLong());
    double rate =
        random.nextBoolean() ? 0.9 + random.nextDouble() / 5 : 0.9 + random.nextInt(3) * 0.1;
    clocks.add(new Clock(world, rate));
    return world;
  }

  /** Loses the request, delivers it soon, or delivers it late. */
  private void send(Acceptor to, LayoutRequest request, Consumer<Reply> whenAnswered) {
    travel(() -> to.server.handle(request, reply -> travel(() -> whenAnswered.accept(reply))));
  }

  private void travel(Runnable arrives) {
    if (random.nextInt(10) > 0) {
      after(random.nextLong((random.nextInt(10) > 0 ? 10 : 200) * MILLI), arrives);
    }
  }

  /** A machine with a layout server. */
  private final class Acceptor {
    private final HandWorld world = clock();
    private FaultDisk disk = new FaultDisk(random.split());
    private Offload offload = Offload.inline();
    private LayoutServer server = open();

    private LayoutServer open() {
      return LayoutServer.open(
          disk, LeaseTerms.of(300), world, (work, then) -> offload.run(work, then));
    }

    /** Tells the server a decided layout at once, before anything else happens. */
    void learn(Layout layout) {
      offload = Offload.inline();
      server.handle(new Learn(layout), reply -> {});
      offload = slowly(server);
    }

    void restart() {
      offload = Offload.inline();
      if (disksToLose > 0 && random.nextBoolean()) {
        disksToLose--;
        disk = new FaultDisk(random.split());
      }
      server = open();
      offload = slowly(server);
      if (random.nextBoolean()) {
        learn(current);
      }
    }

    private Offload slowly(LayoutServer life) {
      return (work, then) ->
          after(
              random.nextLong(30 * MILLI),
              () -> {
                if (server == life) {
                  Offload.inline().run(work, then);
                }
              });
    }
  }

  /** The unit, which counts its leases from its requests, by its own clock. */
  private final class Unit {
    private final HandWorld world = clock();
    private final Map<Acceptor, Long> leases = new HashMap<>();

    void renewForEver() {
      long asked = world.nanoTime();
      for (Acceptor acceptor : acceptors) {
        Renew renew = new Renew(current.epoch(), UNIT, Health.UNKNOWN);
        send(acceptor, renew, reply -> answered(acceptor, asked, reply));
      }
      after(50 * MILLI + random.nextLong(100 * MILLI), this::renewForEver);
    }

    private void answered(Acceptor acceptor, long asked, Reply reply) {
      if (reply instanceof Granted(long millis)) {
        long end = asked + millis * MILLI;
        leases.merge(acceptor, end, (one, other) -> one - other > 0 ? one : other);
      } else if (reply instanceof Failure.Behind) {
        send(acceptor, new Learn(current), done -> {});
      }
    }

    boolean holdsLease() {
      return leases.values().stream().filter(end -> end - world.nanoTime() > 0).count() >= majority;
    }
  }

  /**
   * The proposer. It sends phase 2 when a majority has promised, and the unit's lease has run out
   * at a majority. It counts that time by its own clock, from the arrival of the promise.
   */
  private final class Proposer {
    private final HandWorld world = clock();
    private final Map<Acceptor, Long> freeFrom = new HashMap<>();
    private boolean unitHeldLease;
    private boolean sentPhase2;

    void setOut() {
      unitHeldLease = unit.holdsLease();
      ask();
    }

    private void ask() {
      for (Acceptor acceptor : acceptors) {
        Prepare prepare = new Prepare(new Epoch(4), ballot(1));
        send(acceptor, prepare, reply -> answered(acceptor, reply));
      }
      after(20 * MILLI, this::look);
      after(300 * MILLI, this::ask);
    }

    private void answered(Acceptor acceptor, Reply reply) {
      if (reply instanceof Promised(var accepted, var leases)) {
        long remaining =
            leases.stream()
                .filter(lease -> lease.server().equals(UNIT))
                .mapToLong(RunningLease::remainingMillis)
                .max()
                .orElse(0);
        freeFrom.putIfAbsent(acceptor, world.nanoTime() + remaining * MILLI);
        after(0, this::look);
        after((long) (remaining * MILLI / 0.9) + 1, this::look);
      }
    }

    private void look() {
      long free = freeFrom.values().stream().filter(from -> from - world.nanoTime() <= 0).count();
      sentPhase2 |= free >= majority;
    }
  }
}
