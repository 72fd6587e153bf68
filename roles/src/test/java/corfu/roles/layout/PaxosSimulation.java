package corfu.roles.layout;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LayoutRequest.Accept;
import corfu.protocol.message.LayoutRequest.Learn;
import corfu.protocol.message.LayoutRequest.Prepare;
import corfu.protocol.message.Reply;
import corfu.roles.FaultDisk;
import corfu.world.Offload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Simulates three layout servers on faulty disks that may be lost, some proposers, and a network
 * that loses, repeats and reorders messages. One seed decides everything. Votes count where they
 * are cast, so a decision counts even if no proposer learns of it.
 */
final class PaxosSimulation {

  private static final int STEPS = 600;

  private record Vote(Ballot ballot, Layout layout) {}

  private final SplittableRandom random;
  private final List<Machine> machines = new ArrayList<>();
  private final List<Proposer> proposers = new ArrayList<>();
  private final List<Runnable> network = new ArrayList<>();
  private final Map<Vote, Set<Integer>> votes = new HashMap<>();
  private final Map<Epoch, Layout> decided = new HashMap<>();
  private String name = "";

  PaxosSimulation(SplittableRandom random, int proposerCount) {
    this.random = random;
    for (int i = 0; i < 3; i++) {
      machines.add(new Machine(i));
    }
    for (int i = 0; i < proposerCount; i++) {
      proposers.add(new Proposer(i));
    }
  }

  /** Runs to the end, with checks all the time. Returns the number of decided epochs. */
  int run(String name) {
    this.name = name;
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(80)) {
        case 0 -> machine().crash();
        case 1 -> machine().disk.failOnceAfter(random.nextInt(8));
        case 2 -> loseDisk();
        case 3, 4 -> proposers.get(random.nextInt(proposers.size())).startRound();
        default -> {
          machine().work();
          deliverOne();
        }
      }
    }
    return decided.size();
  }

  /** Loses a disk, but only if the two others still know all their promises, and vote. */
  private void loseDisk() {
    if (machines.stream().allMatch(Machine::votes)) {
      machine().loseDisk();
    }
  }

  private Layout layout(Epoch epoch, int variant) {
    List<Incarnation> lives = machines.stream().map(m -> m.server.incarnation()).toList();
    return Layouts.layout(epoch.value(), variant, lives);
  }

  private Machine machine() {
    return machines.get(random.nextInt(machines.size()));
  }

  private void deliverOne() {
    if (network.isEmpty()) {
      return;
    }
    int index = random.nextInt(network.size());
    Runnable message = network.get(index);
    boolean comesAgain = random.nextInt(10) == 0;
    if (!comesAgain) {
      network.set(index, network.getLast());
      network.removeLast();
    }
    if (random.nextInt(12) > 0) {
      message.run();
    }
  }

  private void send(int machine, LayoutRequest request, Consumer<Reply> whenAnswered) {
    network.add(
        () ->
            machines
                .get(machine)
                .server
                .handle(
                    request,
                    reply -> {
                      observe(machine, request, reply);
                      network.add(() -> whenAnswered.accept(reply));
                    }));
  }

  private void observe(int machine, LayoutRequest request, Reply reply) {
    if (reply instanceof Failure.Broken(String reason)) {
      assertThat(reason).as(name).doesNotContain("must never happen");
    }
    if (reply instanceof LayoutReply.Decided(Layout layout)) {
      checkDecided(layout);
    }
    if (reply instanceof LayoutReply.AcceptedNow && request instanceof Accept accept) {
      Vote vote = new Vote(accept.ballot(), accept.layout());
      Set<Integer> voters = votes.computeIfAbsent(vote, first -> new HashSet<>());
      voters.add(machine);
      if (voters.size() >= 2) {
        Layout first = decided.putIfAbsent(accept.epoch(), accept.layout());
        assertThat(first == null ? accept.layout() : first).as(name).isEqualTo(accept.layout());
      }
    }
  }

  /**
   * Checks that a layout that some server or proposer believes to be decided has had its majority.
   */
  private void checkDecided(Layout layout) {
    assertThat(decided.get(layout.epoch())).as(name).isEqualTo(layout);
  }

  /** A layout server, its disk, and the disk's pending work. */
  private final class Machine implements Offload {
    private final int number;
    private FaultDisk disk = new FaultDisk(random.split());
    private List<Runnable> pending = new ArrayList<>();
    private LayoutServer server;

    Machine(int number) {
      this.number = number;
      this.server = open();
    }

    private LayoutServer open() {
      return LayoutServer.open(disk, LeaseTerms.OFF, new HandWorld(random.nextLong()), this);
    }

    boolean votes() {
      return server.newestLayout().stream()
          .anyMatch(layout -> layout.reliesOnLayoutServer(server.incarnation()));
    }

    @Override
    public void run(Runnable work, Consumer<Optional<Throwable>> then) {
      pending.add(() -> Offload.inline().run(work, then));
    }

    void work() {
      if (!pending.isEmpty()) {
        pending.removeFirst().run();
      }
    }

    /**
     * Crashes the machine, perhaps during a write: its outcome is then unknown and never reported.
     */
    void crash() {
      if (!pending.isEmpty() && random.nextBoolean()) {
        disk.failAfter(random.nextInt(7));
        pending.getFirst().run();
      }
      pending = new ArrayList<>();
      disk.crash();
      server = open();
      server.newestLayout().ifPresent(PaxosSimulation.this::checkDecided);
    }

    void loseDisk() {
      pending = new ArrayList<>();
      disk = new FaultDisk(random.split());
      server = open();
    }

    @Override
    public String toString() {
      return "machine " + number;
    }
  }

  /**
   * A proposer. It starts rounds at random times, for the epoch behind the newest one that it
   * knows.
   */
  private final class Proposer {
    private final int number;
    private Optional<Layout> newest = Optional.empty();
    private long round;

    Proposer(int number) {
      this.number = number;
    }

    void startRound() {
      round += 1 + random.nextInt(2);
      Ballot ballot = new Ballot(round, number);
      Epoch epoch = newest.map(Layout::epoch).orElse(Epoch.NONE).next();
      List<LayoutReply.Promised> promises = new ArrayList<>();
      Set<Integer> promisedBy = new HashSet<>();
      for (int i = 0; i < machines.size(); i++) {
        int machine = i;
        send(
            machine,
            new Prepare(epoch, ballot),
            reply -> {
              hear(machine, reply);
              if (reply instanceof LayoutReply.Promised promise && promisedBy.add(machine)) {
                promises.add(promise);
                if (promises.size() == 2) {
                  propose(epoch, ballot, promises);
                }
              }
            });
      }
    }

    private void propose(Epoch epoch, Ballot ballot, List<LayoutReply.Promised> promises) {
      Layout value =
          promises.stream()
              .flatMap(promise -> promise.accepted().stream())
              .max(Comparator.comparing(LayoutReply.Accepted::ballot))
              .map(LayoutReply.Accepted::layout)
              .orElseGet(() -> layout(epoch, number * 1_000 + (int) ballot.round()));
      Set<Integer> acceptedBy = new HashSet<>();
      for (int i = 0; i < machines.size(); i++) {
        int machine = i;
        send(
            machine,
            new Accept(ballot, value),
            reply -> {
              hear(machine, reply);
              boolean counts = reply instanceof LayoutReply.AcceptedNow;
              if (counts && acceptedBy.add(machine) && acceptedBy.size() == 2) {
                tellEverybody(value);
              }
            });
      }
    }

    private void tellEverybody(Layout layout) {
      checkDecided(layout);
      learn(layout);
      for (int i = 0; i < machines.size(); i++) {
        int machine = i;
        send(i, new Learn(layout), reply -> hear(machine, reply));
      }
    }

    private void hear(int machine, Reply reply) {
      switch (reply) {
        case LayoutReply.Decided(Layout layout) -> learn(layout);
        case LayoutReply.Outbid(Ballot promised) -> round = Math.max(round, promised.round());
        case Failure.NotServing stranger ->
            newest.ifPresent(layout -> send(machine, new Learn(layout), ignored -> {}));
        default -> {}
      }
    }

    private void learn(Layout layout) {
      if (newest.isEmpty() || newest.get().epoch().isBefore(layout.epoch())) {
        newest = Optional.of(layout);
      }
    }
  }
}
