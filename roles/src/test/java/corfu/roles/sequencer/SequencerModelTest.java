package corfu.roles.sequencer;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Backpointers;
import corfu.protocol.Epoch;
import corfu.protocol.Limits;
import corfu.protocol.StreamId;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerReply.StreamEnds;
import corfu.protocol.message.SequencerReply.StreamTokens;
import corfu.protocol.message.SequencerReply.Tokens;
import corfu.protocol.message.SequencerReply.UnknownStreams;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.SequencerRequest.AskStreams;
import corfu.protocol.message.SequencerRequest.KnownStreams;
import corfu.protocol.message.SequencerRequest.Next;
import corfu.protocol.message.SequencerRequest.NextInStreams;
import corfu.protocol.message.SequencerRequest.Seal;
import corfu.protocol.message.SequencerRequest.Start;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenOutcome.Conflict;
import corfu.protocol.stream.TokenOutcome.Issued;
import corfu.protocol.stream.TokenWish;
import corfu.roles.Lease;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random requests in changing epochs, compared to {@link SequencerModel}. */
class SequencerModelTest {

  private static final int STEPS = 4_000;
  private static final int STREAMS = 12;
  private static final int KEYS = 8;

  private SplittableRandom random = new SplittableRandom();
  private Sequencer sequencer = sequencer(1 << 20);
  private SequencerModel model = new SequencerModel(0);
  private Epoch epoch = Epoch.NONE;
  private int issued;
  private int refusedInVain;
  private int conflicts;
  private int unknown;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void itAnswersWhatOneAnswersWhoKeepsEverything(long seed) {
    begin(seed, 1 << 20);
    for (int step = 0; step < STEPS; step++) {
      step(this::checkSame);
    }

    assertThat(issued).isGreaterThan(1_000);
    assertThat(conflicts).isGreaterThan(300);
    assertThat(unknown).isGreaterThan(30);
    sequencer.close();
  }

  /**
   * With hardly any memory for keys, the sequencer may refuse a token without need, but must not
   * issue a wrong one.
   */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
  void whateverItForgetsNoTokenIsIssuedWhereSomethingReadHasChanged(long seed) {
    begin(seed, 1 + (int) (seed % 7));
    for (int step = 0; step < STEPS; step++) {
      step(this::checkSafe);
    }

    assertThat(issued).isGreaterThan(1_000);
    assertThat(conflicts).isGreaterThan(300);
    assertThat(refusedInVain).isGreaterThan(10).isLessThan(conflicts);
    sequencer.close();
  }

  private void checkSame(TokenWish wish, TokenOutcome outcome) {
    assertThat(outcome)
        .isEqualTo(
            model
                .conflict(wish)
                .<TokenOutcome>map(conflict -> conflict)
                .orElseGet(() -> model.issue(wish.writes())));
  }

  private void checkSafe(TokenWish wish, TokenOutcome outcome) {
    switch (outcome) {
      case Issued token -> {
        assertThat(model.conflict(wish)).isEmpty();
        assertThat(token).isEqualTo(model.issue(wish.writes()));
      }
      case Conflict conflict -> {
        Condition condition = wish.condition().orElseThrow();
        assertThat(conflict.address()).isBetween(condition.snapshot(), model.next() - 1);
        assertThat(condition.reads()).anyMatch(part -> part.stream().equals(conflict.stream()));
        refusedInVain += model.conflict(wish).isEmpty() ? 1 : 0;
      }
    }
  }

  private void begin(long seed, int mostKeys) {
    random = new SplittableRandom(seed);
    sequencer = sequencer(mostKeys);
    restart(0);
  }

  private void step(Check check) {
    switch (random.nextInt(40)) {
      case 0 -> restart(model.next() - random.nextLong(Math.min(3, model.next() + 1)));
      case 1 -> continueInTheNextEpoch();
      case 2, 3 -> {
        int count = 1 + random.nextInt(5);
        assertThat(ask(new Next(epoch, count))).isEqualTo(new Tokens(model.next(), count));
        model.plain(count);
      }
      case 4, 5, 6, 7 -> askStreams();
      default -> nextInStreams(check);
    }
  }

  private void restart(long floor) {
    ask(new Seal(epoch));
    epoch = epoch.next();
    assertThat(ask(new Start(epoch, floor, 7))).isEqualTo(Reply.Done.DONE);
    model = new SequencerModel(floor);
  }

  /** Continues in the next epoch. Only the epoch may differ. */
  private void continueInTheNextEpoch() {
    assertThat(ask(new Seal(epoch, KnownStreams.KEPT)))
        .isEqualTo(new SequencerReply.HandedOver(model.next(), 7, epoch));
    epoch = epoch.next();
    assertThat(ask(new Start(epoch, model.next(), 7, KnownStreams.KEPT)))
        .isEqualTo(Reply.Done.DONE);
  }

  private void askStreams() {
    List<StreamId> asked = IntStream.range(0, random.nextInt(4)).mapToObj(i -> stream()).toList();
    List<StreamTail> known = tails(asked);
    Reply reply = ask(new AskStreams(epoch, asked, known));
    if (isAdmitted(reply, asked, known)) {
      assertThat(reply)
          .isEqualTo(
              new StreamEnds(model.next(), model.floor(), asked.stream().map(model::end).toList()));
    }
  }

  private void nextInStreams(Check check) {
    List<TokenWish> wishes =
        IntStream.range(0, 1 + random.nextInt(4)).mapToObj(i -> wish()).toList();
    List<StreamId> named = new ArrayList<>();
    wishes.forEach(wish -> wish.writes().forEach(part -> named.add(part.stream())));
    wishes.stream()
        .flatMap(wish -> wish.condition().stream())
        .forEach(condition -> condition.reads().forEach(part -> named.add(part.stream())));
    List<StreamTail> known = tails(named);
    Reply reply = ask(new NextInStreams(epoch, wishes, known));
    if (!isAdmitted(reply, named, known)) {
      return;
    }
    List<TokenOutcome> outcomes = ((StreamTokens) reply).outcomes();
    assertThat(outcomes).hasSameSizeAs(wishes);
    for (int i = 0; i < wishes.size(); i++) {
      check.check(wishes.get(i), outcomes.get(i));
      issued += outcomes.get(i) instanceof Issued ? 1 : 0;
      conflicts += outcomes.get(i) instanceof Conflict ? 1 : 0;
    }
  }

  private boolean isAdmitted(Reply reply, List<StreamId> named, List<StreamTail> known) {
    List<StreamId> missing = model.unknown(named, known);
    if (missing.isEmpty()) {
      model.learn(known);
      assertThat(sequencer.streams()).isLessThanOrEqualTo(STREAMS);
      return true;
    }
    assertThat(reply).isEqualTo(new UnknownStreams(model.floor(), missing));
    unknown++;
    return false;
  }

  private TokenWish wish() {
    Map<StreamId, StreamPart> writes = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      StreamPart part = part();
      writes.put(part.stream(), part);
    }
    return new TokenWish(List.copyOf(writes.values()), condition());
  }

  private Optional<Condition> condition() {
    if (random.nextInt(3) == 0) {
      return Optional.empty();
    }
    long age = random.nextInt(8) == 0 ? random.nextLong(200) : random.nextLong(12);
    List<StreamPart> reads =
        IntStream.range(0, 1 + random.nextInt(3)).mapToObj(i -> part()).toList();
    return Optional.of(new Condition(Math.max(0, model.next() - age), reads));
  }

  private StreamPart part() {
    LongStream keys = LongStream.range(0, random.nextInt(4)).map(i -> random.nextLong(KEYS));
    return new StreamPart(stream(), keys.boxed().toList());
  }

  private StreamId stream() {
    return new StreamId(0, 1 + random.nextInt(STREAMS));
  }

  /** Returns possible ends of some of these streams, and sometimes of others, before the epoch. */
  private List<StreamTail> tails(List<StreamId> named) {
    List<StreamTail> tails = new ArrayList<>();
    for (StreamId stream : named) {
      if (model.floor() > 0 && random.nextInt(4) > 0) {
        tails.add(new StreamTail(stream, place()));
      }
    }
    if (model.floor() > 0 && random.nextInt(4) == 0) {
      tails.add(new StreamTail(stream(), place()));
    }
    return tails;
  }

  private StreamPosition place() {
    long[] previous =
        LongStream.generate(() -> random.nextLong(model.floor()))
            .limit(random.nextInt(Backpointers.MOST + 1))
            .distinct()
            .map(address -> -address)
            .sorted()
            .map(address -> -address)
            .toArray();
    long streamAddress = random.nextLong(previous.length, model.floor() + 1);
    return new StreamPosition(streamAddress, Backpointers.of(previous));
  }

  private Reply ask(SequencerRequest request) {
    List<Reply> replies = new ArrayList<>();
    sequencer.handle(request, replies::add);
    assertThat(replies).hasSize(1);
    return replies.getFirst();
  }

  private static Sequencer sequencer(int mostKeys) {
    return new Sequencer(Limits.DEFAULT, new SequencerOptions(100, mostKeys), 7, Lease.always());
  }

  /** Compares an outcome to the model, and updates the model. */
  private interface Check {
    void check(TokenWish wish, TokenOutcome outcome);
  }
}
