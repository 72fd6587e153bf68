package corfu.node.access;

import corfu.access.gate.SequencerKeys;
import corfu.access.gate.TokenSealer;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.TokenKey;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.Corfu;
import corfu.world.Loop;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The keys of sequencers, which the server's own client asks for. One question is in flight at a
 * time, and requests wait for its answer.
 *
 * <p>An answer counts for the whole epoch. A sequencer that has restarted issues no tokens in its
 * old epochs, and another one needs a new epoch. Lives on the server's loop.
 */
final class LearnedKeys implements SequencerKeys {

  /** The number of remembered keys: a few sequencers take turns. */
  static final int MOST_KEYS = 4;

  /** The largest number of requests that wait for an answer. */
  static final int MOST_WAITING = 256;

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** Unknown seals of clients shall not become a flood of questions. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  private static final float LOAD = 0.75f;

  private final World world;
  private final Loop loop;
  private final Supplier<Optional<Corfu>> client;
  private final Supplier<Optional<Layout>> layout;

  /** By number, the least recently used one first. */
  private final Map<Long, TokenSealer> keys = new LinkedHashMap<>(16, LOAD, true);

  private Epoch answeredIn = Epoch.NONE;
  private Sealing answer = Sealing.UNKNOWN;
  private Epoch askedIn = Epoch.NONE;
  private long askedNanos;
  private boolean isAsking;
  private List<Consumer<Optional<Failure>>> waiting = new ArrayList<>();

  /**
   * @param client the server's own client, or empty while it has none
   * @param layout returns the newest layout that the server knows
   */
  LearnedKeys(
      World world, Loop loop, Supplier<Optional<Corfu>> client, Supplier<Optional<Layout>> layout) {
    this.world = world;
    this.loop = loop;
    this.client = client;
    this.layout = layout;
  }

  /** Without a sequencer there are no tokens, and so no client has one. */
  @Override
  public Sealing in(Epoch epoch) {
    if (epoch.equals(answeredIn)) {
      return answer;
    }
    return layout.get().filter(known -> isOf(known, epoch)).filter(LearnedKeys::hasNone).isPresent()
        ? Sealing.SEALED
        : Sealing.UNKNOWN;
  }

  private static boolean isOf(Layout known, Epoch epoch) {
    return known.epoch().equals(epoch);
  }

  private static boolean hasNone(Layout known) {
    return known.sequencers().isEmpty();
  }

  @Override
  public Optional<TokenSealer> find(long keyId) {
    return Optional.ofNullable(keys.get(keyId));
  }

  /** Asks for the key of the newest epoch, before the first seal of that epoch comes. */
  void prefetch() {
    layout
        .get()
        .map(Layout::epoch)
        .filter(epoch -> !isAsking && in(epoch) == Sealing.UNKNOWN)
        .ifPresent(epoch -> ask(epoch, failure -> {}));
  }

  @Override
  public void ask(Epoch epoch, Consumer<Optional<Failure>> then) {
    Optional<Endpoint> sequencer =
        layout
            .get()
            .filter(known -> isOf(known, epoch))
            .flatMap(known -> known.sequencers().stream().findFirst());
    Optional<Corfu> corfu = client.get();
    if (sequencer.isEmpty() || corfu.isEmpty()) {
      then.accept(
          notNow(
              "this server cannot ask the sequencer of epoch %s whose token it is"
                  .formatted(epoch)));
    } else if (isAsking) {
      await(then);
    } else if (epoch.equals(askedIn) && world.nanoTime() - askedNanos < PAUSE.toNanos()) {
      then.accept(
          notNow(
              "the sequencer at %s does not know the key of this token's seal"
                  .formatted(sequencer.get())));
    } else {
      waiting.add(then);
      begin(epoch, sequencer.get(), corfu.get());
    }
  }

  private void await(Consumer<Optional<Failure>> then) {
    if (waiting.size() >= MOST_WAITING) {
      then.accept(
          Optional.of(
              new Failure.Overloaded(
                  "%d writes wait already until the sequencer tells its key; try again"
                      .formatted(MOST_WAITING))));
    } else {
      waiting.add(then);
    }
  }

  private static Optional<Failure> notNow(String why) {
    return Optional.of(new Failure.NotServing(why + "; fetch the layout, and try again"));
  }

  private void begin(Epoch epoch, Endpoint sequencer, Corfu corfu) {
    isAsking = true;
    askedIn = epoch;
    world.start(
        "corfu-token-key",
        () -> {
          Optional<NodeReply.SealingKey> told = told(sequencer, corfu);
          loop.execute(() -> end(epoch, sequencer, told));
        });
  }

  /** Returns the sequencer's answer, or empty if it gave none. */
  private static Optional<NodeReply.SealingKey> told(Endpoint sequencer, Corfu corfu) {
    try {
      Reply reply = corfu.streamAccess().ask(sequencer, new NodeRequest.AskTokenKey(), PATIENCE);
      return reply instanceof NodeReply.SealingKey sealing
          ? Optional.of(sealing)
          : Optional.empty();
    } catch (RuntimeException silent) { // or this server's client is closed
      return Optional.empty();
    }
  }

  private void end(Epoch epoch, Endpoint sequencer, Optional<NodeReply.SealingKey> told) {
    isAsking = false;
    askedNanos = world.nanoTime();
    told.ifPresent(sealing -> learn(epoch, sealing.key()));
    Optional<Failure> failure =
        told.isPresent()
            ? Optional.empty()
            : notNow(
                "the sequencer at %s does not tell this server the key of its seals"
                    .formatted(sequencer));
    List<Consumer<Optional<Failure>>> released = waiting;
    waiting = new ArrayList<>();
    released.forEach(then -> then.accept(failure));
  }

  private void learn(Epoch epoch, Optional<TokenKey> key) {
    answeredIn = epoch;
    answer = key.isPresent() ? Sealing.SEALED : Sealing.UNSEALED;
    key.ifPresent(
        known -> {
          if (!keys.containsKey(known.id()) && keys.size() == MOST_KEYS) {
            var oldest = keys.keySet().iterator();
            long unused = oldest.next();
            oldest.remove();
          }
          keys.put(known.id(), new TokenSealer(known));
        });
  }
}
