package corfu.sim.workload;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.sim.history.CallHistory;
import corfu.sim.history.Payloads;
import corfu.sim.history.RecordedCall;
import corfu.sim.history.RecordedCall.Call;
import corfu.sim.history.RecordedCall.Given;
import corfu.sim.history.RecordedCall.Outcome;
import corfu.sim.history.RecordedCall.Stop;
import corfu.sim.watch.StreamWatch;
import corfu.sim.world.SimRandom;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The calls of one application thread on streams. */
public final class StreamWorkload {

  private static final int PLAYERS_MAX = 4;
  private static final int TOGETHER_MAX = 3;
  private static final int BURST_MAX = 10;
  private static final int PADDING_MAX = 1_000;

  private final CallHistory history;
  private final StreamWatch watch;
  private final SimRandom chance;
  private final Corfu corfu;
  private final Streams streams;
  private final WorkloadProfile habits;
  private final String name;
  private final List<Player> players = new ArrayList<>();
  private final Map<StreamId, Long> ends = new HashMap<>();
  private int appends;
  private int readers;
  private long tail;

  /** A reader that is used repeatedly. */
  private record Player(String name, StreamReader reader, long from) {}

  /**
   * @param streams the streams of its process, which share a cache
   */
  public StreamWorkload(
      CallHistory history,
      StreamWatch watch,
      SimRandom chance,
      Corfu corfu,
      Streams streams,
      WorkloadProfile habits,
      String name) {
    this.history = history;
    this.watch = watch;
    this.chance = chance;
    this.corfu = corfu;
    this.streams = streams;
    this.habits = habits;
    this.name = name;
  }

  public void doSomething() {
    int dice = chance.below(100);
    if (dice < 22) {
      append();
    } else if (dice < 30) {
      burst();
    } else if (dice < 44) {
      appendIf();
    } else if (dice < 64) {
      playOn();
    } else if (dice < 72) {
      playAfresh();
    } else if (dice < 77) {
      playTogether();
    } else if (dice < 84) {
      readOne();
    } else if (dice < 90) {
      readRange();
    } else if (dice < 93) {
      askTail();
    } else if (dice < 95) {
      fillTooSoon();
    } else if (dice < 97) {
      race();
    } else if (dice < 98) {
      trim();
    } else {
      list();
    }
  }

  // ------------------------------------------------------------------------------------- appends

  private ByteBuffer payload(String payload) {
    return ByteBuffer.wrap(Payloads.of(payload, (int) chance.mostlyNear(0, PADDING_MAX)));
  }

  private StreamId stream() {
    return chance.pick(habits.streams());
  }

  /** Mostly one stream. */
  private List<StreamId> someStreams() {
    Set<StreamId> some = new HashSet<>();
    for (long left = chance.mostlyNear(0, habits.streams().size()); left >= 0; left--) {
      some.add(stream());
    }
    return some.stream().sorted().toList();
  }

  private void append() {
    List<StreamId> in = someStreams();
    String payload = name + "~" + appends++;
    history.run(
        name,
        new Call.Append(payload, TokenWish.in(in)),
        () ->
            appended(
                in.size() == 1
                    ? streams.open(in.getFirst()).append(payload(payload))
                    : streams.append(in, payload(payload))));
  }

  /**
   * Makes several in-flight appends that share round trips, often to one stream. If the writer dies
   * or is too late, it leaves more consecutive holes than an entry has backpointers.
   */
  private void burst() {
    List<StreamId> allIn = chance.oneIn(2) ? List.of(stream()) : List.of();
    List<CompletableFuture<Outcome>> all = new ArrayList<>();
    for (int i = 1 + chance.below(BURST_MAX); i > 0; i--) {
      if (allIn.isEmpty() && chance.oneIn(4)) {
        TokenWish wish = conditional();
        all.add(begin(wish, conditionalName()));
      } else {
        List<StreamId> in = allIn.isEmpty() ? someStreams() : allIn;
        all.add(begin(TokenWish.in(in), name + "~" + appends++));
      }
    }
    all.forEach(CompletableFuture::join);
  }

  private CompletableFuture<Outcome> begin(TokenWish wish, String payload) {
    RecordedCall operation = history.invoke(name, new Call.Append(payload, wish));
    return corfu
        .streamAccess()
        .appendAsync(wish, payload(payload))
        .handle(
            (outcome, failure) -> {
              Outcome end =
                  failure == null ? ended(payload, outcome) : history.failed(name, failure);
              history.returned(operation, end);
              return end;
            });
  }

  private void appendIf() {
    TokenWish wish = conditional();
    String payload = conditionalName();
    history.run(
        name,
        new Call.Append(payload, wish),
        () ->
            ended(
                payload,
                streams.appendIf(wish.writes(), wish.condition().orElseThrow(), payload(payload))));
  }

  private String conditionalName() {
    return name + StreamWatch.CONDITIONAL + appends++;
  }

  private TokenWish conditional() {
    List<StreamPart> writes = parts();
    List<StreamPart> others = chance.oneIn(5) ? List.of() : parts();
    List<StreamPart> reads = chance.oneIn(2) ? writes : others;
    return new TokenWish(writes, Optional.of(new Condition(snapshot(), reads)));
  }

  private List<StreamPart> parts() {
    return someStreams().stream().map(this::part).toList();
  }

  /** A whole stream, or some of its keys. */
  private StreamPart part(StreamId stream) {
    Set<Long> keys = new HashSet<>();
    for (int left = chance.below(3); left > 0; left--) {
      keys.add((long) chance.below(habits.keys()));
    }
    return new StreamPart(stream, keys.stream().sorted().toList());
  }

  /** The current tail, or an earlier one. */
  private long snapshot() {
    if (!chance.oneIn(3)) {
      try {
        tail = Math.max(tail, corfu.log().tail().value());
      } catch (CorfuException asItWas) {
        return tail;
      }
    }
    return tail;
  }

  private Outcome ended(String payload, StreamAppend outcome) {
    return switch (outcome) {
      case StreamAppend.Appended appended -> appended(appended);
      case StreamAppend.Conflict conflict -> {
        watch.refused(payload, conflict);
        yield new Outcome.Conflict(conflict);
      }
    };
  }

  private Outcome appended(StreamAppend.Appended appended) {
    tail = Math.max(tail, appended.address().value() + 1);
    appended.places().forEach(place -> reached(place.stream(), place.streamAddress().value() + 1));
    return new Outcome.Appended(appended.address().value(), appended.places());
  }

  private void reached(StreamId stream, long end) {
    ends.merge(stream, end, Math::max);
  }

  // -------------------------------------------------------------------------------------- reading

  private void playOn() {
    if (players.size() < PLAYERS_MAX || chance.oneIn(30)) {
      players.addFirst(player(streams));
    }
    Player player = chance.pick(players);
    play(player, chance.oneIn(3) ? 1 + chance.below(5) : Integer.MAX_VALUE);
    if (players.size() > PLAYERS_MAX) {
      players.removeLast();
    }
  }

  /** Sometimes uses an empty cache. */
  private void playAfresh() {
    play(player(chance.oneIn(2) ? streams : Streams.over(corfu)), Integer.MAX_VALUE);
  }

  private Player player(Streams over) {
    StreamId stream = stream();
    long from = chance.oneIn(3) ? near(stream) : 0;
    StreamReader reader = over.open(stream).reader(new StreamAddress(from));
    return new Player(name + "/" + readers++, reader, from);
  }

  private static Call call(Player player) {
    return new Call.Play(player.name(), player.reader().stream(), player.from());
  }

  private void play(Player player, int most) {
    history.run(name, call(player), () -> rest(player, player.reader().sync().value(), most));
  }

  /** Syncs all readers with one request; if it fails, syncs each of the others separately. */
  private void playTogether() {
    List<Player> together = new ArrayList<>();
    for (int left = 1 + chance.below(TOGETHER_MAX); left > 0; left--) {
      together.add(player(streams));
    }
    if (!players.isEmpty()) {
      together.add(chance.pick(players));
    }
    List<RecordedCall> operations =
        together.stream().map(player -> history.invoke(name, call(player))).toList();
    List<StreamAddress> found = new ArrayList<>();
    for (int i = 0; i < together.size(); i++) {
      int which = i;
      history.finish(
          operations.get(i),
          () -> {
            if (found.isEmpty()) {
              found.addAll(streams.sync(together.stream().map(Player::reader).toList()));
            }
            return rest(together.get(which), found.get(which).value(), Integer.MAX_VALUE);
          });
    }
  }

  private Outcome rest(Player player, long end, int most) {
    reached(player.reader().stream(), end);
    List<Given> given = new ArrayList<>();
    try {
      while (given.size() < most) {
        StreamRead next = player.reader().readNext();
        if (next instanceof StreamRead.Absent) {
          return new Outcome.Played(end, given, Stop.AT_END);
        }
        given.addAll(given(List.of(next)));
      }
      return new Outcome.Played(end, given, Stop.SATED);
    } catch (CorfuException notNow) {
      return new Outcome.Played(end, given, Stop.BROKEN);
    }
  }

  private List<Given> given(List<StreamRead> reads) {
    List<Given> given = new ArrayList<>();
    for (StreamRead read : reads) {
      switch (read) {
        case StreamRead.Entry entry -> {
          tail = Math.max(tail, entry.address().value() + 1);
          given.add(CallHistory.given(entry));
        }
        case StreamRead.Trimmed(StreamAddress before) -> given.add(new Given.Lost(before.value()));
        case StreamRead.Absent nothing -> {}
      }
    }
    return given;
  }

  /** Returns a stream address near the end of the stream, or just behind its end. */
  public long near(StreamId stream) {
    long end = ends.getOrDefault(stream, 0L);
    long back = chance.oneIn(2) ? chance.between(0, end) : chance.between(0, Math.min(end, 6));
    return end - back + chance.below(2);
  }

  private void readOne() {
    StreamId stream = stream();
    long at = near(stream);
    LogStream open = streams.open(stream);
    history.run(
        name,
        new Call.ReadStream(stream, at, at + 1),
        () -> new Outcome.Gave(given(List.of(open.read(new StreamAddress(at))))));
  }

  private void readRange() {
    StreamId stream = stream();
    long one = near(stream);
    long other = near(stream);
    long from = Math.min(one, other);
    long to = Math.max(one, other);
    LogStream open = streams.open(stream);
    history.run(
        name,
        new Call.ReadStream(stream, from, to),
        () -> new Outcome.Gave(given(open.read(new StreamAddress(from), new StreamAddress(to)))));
  }

  private void askTail() {
    StreamId stream = stream();
    history.run(
        name,
        new Call.AskStreamTail(stream),
        () -> {
          long end = streams.open(stream).tail().value();
          reached(stream, end);
          return new Outcome.StreamTailAt(end);
        });
  }

  /**
   * Fills the newest addresses: a client whose token is one of them, and who has not written yet,
   * loses the token.
   */
  private void fillTooSoon() {
    try {
      tail = Math.max(tail, corfu.log().tail().value());
    } catch (CorfuException asItWas) {
      return;
    }
    long lowest = Math.max(0, tail - 1 - chance.mostlyNear(0, BURST_MAX));
    for (long newest = tail - 1; newest >= lowest; newest--) {
      Address address = new Address(newest);
      history.run(
          name,
          new Call.Fill(newest),
          () -> new Outcome.Saw(List.of(CallHistory.content(corfu.log().fill(address)))));
    }
  }

  /** Fills race the thread's own appends: the first one to reach the head of the chain wins. */
  private void race() {
    List<CompletableFuture<Outcome>> all = new ArrayList<>();
    all.add(begin(conditional(), conditionalName()));
    List<StreamId> in = List.of(stream());
    for (int left = chance.below(BURST_MAX); left > 0; left--) {
      all.add(begin(TokenWish.in(in), name + "~" + appends++));
    }
    fillTooSoon();
    all.forEach(CompletableFuture::join);
  }

  private void list() {
    history.run(
        name,
        new Call.ListStreams(),
        () -> {
          Map<StreamId, StreamAddress> all = new HashMap<>();
          streams.list().forEach(each -> all.put(each.getKey(), each.getValue()));
          return new Outcome.Streams(all);
        });
  }

  private void trim() {
    StreamId stream = stream();
    long end = ends.getOrDefault(stream, 0L);
    long before = chance.oneIn(3) ? end : chance.between(0, end * 2 / 3);
    history.run(
        name,
        new Call.TrimStream(stream, before),
        () -> {
          streams.open(stream).trim(new StreamAddress(before));
          return new Outcome.Trimmed();
        });
  }
}
