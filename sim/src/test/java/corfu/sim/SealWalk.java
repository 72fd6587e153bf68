package corfu.sim;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.access.Grant;
import corfu.access.PolicyChange;
import corfu.access.PolicyCodec;
import corfu.access.PolicyCommand;
import corfu.access.StreamNames;
import corfu.access.Subject;
import corfu.access.Target;
import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.TokenSeal;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.CorfuOptions;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.sim.cluster.SimServer;
import corfu.sim.world.SimListener;
import corfu.sim.world.SimRandom;
import corfu.sim.world.SimWorld;
import corfu.transport.Transport;
import corfu.transport.TransportException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A random history of a cluster with two tenants that share a stream. Alice appends. Bob writes to
 * her addresses with whatever seals he has: none, his own ones, those of earlier epochs, those that
 * she has used, and changed ones. Sequencers and log units die and return, epochs change.
 */
final class SealWalk {

  static final String ALICE = "alice";
  static final String BOB = "bob";
  private static final String STREAM = "orders";
  private static final long REQUEST_NANOS = Duration.ofMillis(300).toNanos();

  /** Long enough for the agents to replace a dead server. */
  private static final Duration ALICES_PATIENCE = Duration.ofSeconds(30);

  private static final int MOST_LOOT = 6;
  private static final int IN_FLIGHT = 3;

  private final Scenario scenario;
  private final SealWatch watch;
  private final SimRandom chance;
  private final List<Loot> loot = new ArrayList<>();
  private final List<String> acknowledged = new ArrayList<>();
  private Optional<SimServer> down = Optional.empty();
  private int processes;
  private int texts;
  private int forgeries;

  /** A seal that Bob has seen, with its epoch. */
  private record Loot(Epoch epoch, TokenSeal seal) {}

  SealWalk(long seed, SealWatch watch) {
    this.watch = watch;
    this.scenario = Scenario.withPermissions(seed, 2, watch);
    this.chance = new SimRandom(seed);
    scenario.simulator.network.upgrade(process -> process.startsWith(ALICE));
  }

  /** Takes some steps, or fewer if the watch finds something. */
  void run(int steps) {
    grantEverythingOnTheStream();
    for (int step = 0; step < steps && watch.findings().isEmpty(); step++) {
      switch (chance.below(6)) {
        case 0, 1 -> appendsWhileBobAttacks();
        case 2 -> attack(BOB + processes++, takeTokenAs(ALICE + processes++));
        case 3 -> scenario.pass(Duration.ofMillis(chance.between(10, 1_000)));
        case 4 -> changeTheEpoch();
        default -> changeAServer();
      }
    }
    if (watch.findings().isEmpty()) {
      down.ifPresent(SimServer::start);
      readEverything();
    }
  }

  private void grantEverythingOnTheStream() {
    scenario.runAs(
        "admin" + processes++,
        world -> {
          LogStream policy =
              Streams.over(scenario.connect(world, scenario.transport(world)))
                  .open(StreamNames.POLICY);
          for (String tenant : List.of(ALICE, BOB)) {
            Subject subject = new Subject.Prefix(SimListener.IDENTITIES + tenant);
            Target stream = new Target.Named(STREAM);
            append(policy, new Grant(subject, Permission.APPEND, stream));
            append(policy, new Grant(subject, Permission.READ, stream));
          }
          append(
              policy,
              Grant.of(new Subject.Prefix(SimListener.IDENTITIES + BOB), Permission.APPEND_LOG));
          return true;
        });
    scenario.pass(Duration.ofSeconds(2)); // until the policy is in force
  }

  private static void append(LogStream policy, Grant grant) {
    var change = new PolicyChange(new Identity("sim/admin"), new PolicyCommand.Give(grant));
    var unused = policy.append(PolicyCodec.encode(change));
  }

  // ------------------------------------------------------------------------------------- appends

  /** Several appends of one client are in flight while Bob attacks the addresses around them. */
  private void appendsWhileBobAttacks() {
    List<String> mine = new ArrayList<>();
    for (int i = 0; i < IN_FLIGHT; i++) {
      mine.add("text " + texts++);
    }
    CompletableFuture<Boolean> appended =
        scenario.begin(ALICE + processes++, world -> append(world, mine));
    attack(BOB + processes++, takeTokenAs(ALICE + processes++));
    scenario.until("the appends end", appended::isDone);
    try {
      if (appended.join()) {
        acknowledged.addAll(mine);
        watch.appended(mine.size());
      }
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof AccessDeniedException denied) {
        watch.found("an append of Alice is denied: " + denied.getMessage());
      }
    }
  }

  private boolean append(SimWorld world, List<String> mine) {
    CorfuOptions options =
        CorfuOptions.of(scenario.arrangement.layoutServers()).withOperationTimeout(ALICES_PATIENCE);
    LogStream stream =
        Streams.over(Corfu.connect(options, world, scenario.transport(world))).open(STREAM);
    List<CompletableFuture<?>> inFlight = new ArrayList<>();
    for (String text : mine) {
      inFlight.add(stream.appendAsync(ByteBuffer.wrap(text.getBytes(UTF_8))));
    }
    inFlight.forEach(CompletableFuture::join);
    return true;
  }

  /** Each acknowledged append is in the stream, once. */
  private void readEverything() {
    List<String> read =
        scenario.runAs(
            "admin" + processes++,
            world -> {
              StreamReader reader =
                  Streams.over(scenario.connect(world, scenario.transport(world)))
                      .open(STREAM)
                      .reader();
              var unused = reader.sync();
              return reader.readRest().stream().map(StreamRead.Entry::text).toList();
            });
    for (String text : acknowledged) {
      long times = read.stream().filter(text::equals).count();
      if (times != 1) {
        watch.found("the acknowledged '%s' is %d times in the stream".formatted(text, times));
      }
    }
  }

  // ------------------------------------------------------------------------------------- attacks

  /** Takes a token that its holder does not use yet. Bob learns its seal later. */
  private Optional<Loot> takeTokenAs(String name) {
    Layout layout = scenario.newest();
    return scenario.runAs(
        name,
        world -> {
          var wish =
              new SequencerRequest.NextInStreams(
                  layout.epoch(),
                  List.of(TokenWish.in(List.of(StreamId.named(STREAM)))),
                  List.of());
          Optional<Reply> reply =
              ask(scenario.transport(world), layout.sequencers().getFirst(), wish);
          return reply
              .filter(SequencerReply.StreamTokens.class::isInstance)
              .map(SequencerReply.StreamTokens.class::cast)
              .filter(tokens -> tokens.outcomes().getFirst() instanceof TokenOutcome.Issued)
              .flatMap(SequencerReply.StreamTokens::seal)
              .map(seal -> new Loot(layout.epoch(), seal));
        });
  }

  private void attack(String name, Optional<Loot> victim) {
    Optional<Loot> own = takeTokenAs(name);
    long address = victim.or(() -> own).map(token -> token.seal().first()).orElse(0L);
    Epoch now = scenario.newest().epoch();
    own.ifPresent(loot::add);
    victim.ifPresent(loot::add);
    List<LogUnitRequest.Write> writes = new ArrayList<>();
    for (long at : List.of(address, address + 1)) {
      writes.add(new LogUnitRequest.Write(now, List.of(forged(at))));
      writes.add(new LogUnitRequest.Write(now, List.of(Entry.hole(at, id()))));
      for (Loot seen : loot) {
        for (Epoch epoch : List.of(now, seen.epoch())) {
          writes.add(new LogUnitRequest.Write(epoch, List.of(forged(at)), List.of(seen.seal())));
          writes.add(
              new LogUnitRequest.Write(epoch, List.of(forged(at)), List.of(moved(seen, at))));
        }
      }
    }
    scenario.runAs(
        name,
        world -> {
          Transport way = scenario.transport(world);
          for (Endpoint unit : List.copyOf(scenario.newest().logUnits()).reversed()) {
            writes.stream()
                .filter(write -> !isOwn(own, write))
                .forEach(write -> ask(way, unit, write));
          }
          return true;
        });
    while (loot.size() > MOST_LOOT) {
      loot.remove(chance.below(loot.size()));
    }
  }

  /** Bob may write to the address of his own token. */
  private static boolean isOwn(Optional<Loot> own, LogUnitRequest.Write write) {
    return own.isPresent() && own.get().seal().covers(write.entries().getFirst().address());
  }

  private static TokenSeal moved(Loot seen, long to) {
    TokenSeal seal = seen.seal();
    return new TokenSeal(seal.keyId(), to, seal.count(), seal.codeHigh(), seal.codeLow());
  }

  private Entry forged(long address) {
    StreamHeader header = new StreamHeader(StreamId.named(STREAM), 0, Backpointers.NONE);
    return Entry.data(address, id(), List.of(header), ByteBuffer.wrap("forged".getBytes(UTF_8)));
  }

  private AppendId id() {
    return new AppendId(0xb0b, forgeries++);
  }

  private static Optional<Reply> ask(Transport way, Endpoint server, Request request) {
    try {
      return Optional.of(way.peer(server).call(request, REQUEST_NANOS));
    } catch (TransportException down) {
      return Optional.empty();
    }
  }

  // -------------------------------------------------------------------------------------- faults

  /** Kills a sequencer or a log unit, or starts the dead one again. */
  private void changeAServer() {
    if (down.isPresent()) {
      down.get().start();
      down = Optional.empty();
      scenario.pass(Duration.ofMillis(chance.between(1, 200)));
    } else {
      SimServer dying = chance.pick(scenario.cluster.servers());
      dying.kill();
      down = Optional.of(dying);
    }
  }

  private void changeTheEpoch() {
    if (down.isEmpty()) {
      try {
        var unused = scenario.reconfigure(way -> way.renew(scenario.newest()));
      } catch (CorfuException | CompletionException anAgentWasFaster) {
        scenario.pass(Duration.ofMillis(10));
      }
    }
  }
}
