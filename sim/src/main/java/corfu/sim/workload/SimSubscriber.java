package corfu.sim.workload;

import corfu.protocol.StreamAddress;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Subscriber;
import corfu.runtime.stream.Subscription;
import corfu.sim.history.CallHistory;
import corfu.sim.history.RecordedCall.Call;
import corfu.sim.history.RecordedCall.Given;
import corfu.sim.history.RecordedCall.Outcome;
import corfu.sim.world.SimRandom;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Violations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A subscriber of a stream. It records the entries that it gets, and checks how it is called: by
 * one thread at a time, not during a pause, and not after its end. It may be slow, and may pause or
 * close its subscription during a delivery.
 */
public final class SimSubscriber implements Subscriber {

  private static final long SLOW_NANOS_MAX = 2_000_000_000L;

  private final CallHistory history;
  private final Violations findings;
  private final SimWorld world;
  private final SimRandom chance;
  private final String client;
  private final Call.Follow call;

  private Optional<Subscription> subscription = Optional.empty();
  private State state = State.FOLLOWING;
  private boolean isInside; // a call of its subscription
  private int mayStillBeGiven; // deliveries that may still come after a pause or close
  private long next;
  private boolean isCalm;

  private enum State {
    FOLLOWING,
    PAUSED,
    CLOSING,
    CLOSED
  }

  /**
   * @param client the name of the subscribing client in the history
   */
  public SimSubscriber(
      CallHistory history,
      Violations findings,
      SimWorld world,
      SimRandom chance,
      String client,
      Call.Follow call) {
    this.history = history;
    this.findings = findings;
    this.world = world;
    this.chance = chance;
    this.client = client;
    this.call = call;
    this.next = call.from();
  }

  public void subscribe(LogStream stream) {
    history.run(
        client,
        call,
        () -> {
          var from = new StreamAddress(call.from());
          subscription = Optional.of(stream.subscribe(from, this));
          return new Outcome.Gave(List.of());
        });
    if (state == State.CLOSING) { // closed in a delivery, before the subscription was known
      subscription.ifPresent(Subscription::close);
    }
  }

  public void pause() {
    if (state == State.FOLLOWING && subscription.isPresent()) {
      state = State.PAUSED;
      mayStillBeGiven = Integer.MAX_VALUE;
      subscription.get().pause();
      mayStillBeGiven = isInside ? 0 : 1;
    }
  }

  public void resume() {
    if (state == State.PAUSED) {
      state = State.FOLLOWING;
      subscription.ifPresent(Subscription::resume);
    }
  }

  public void close() {
    if (state == State.FOLLOWING || state == State.PAUSED) {
      state = State.CLOSING;
      mayStillBeGiven = Integer.MAX_VALUE;
      subscription.ifPresent(Subscription::close);
      mayStillBeGiven = isInside ? 0 : 1;
    }
  }

  /** From now on it receives as fast as it can. */
  public void calmDown() {
    isCalm = true;
    resume();
  }

  /** Returns whether it gets no more calls. */
  public boolean isClosed() {
    return state == State.CLOSED;
  }

  public boolean isPaused() {
    return state == State.PAUSED;
  }

  /** Returns whether it has received all entries of its stream before this stream address. */
  public boolean hasReached(long end) {
    return next >= end || state == State.CLOSING;
  }

  public Call.Follow call() {
    return call;
  }

  // ------------------------------------------------------------------------------------ called

  @Override
  public void onEntry(StreamRead.Entry entry) {
    enter("an entry");
    next = entry.streamAddress().value() + 1;
    given(CallHistory.given(entry));
    if (!isCalm && chance.oneIn(20)) {
      distracted();
    }
    isInside = false;
  }

  @Override
  public void onTrimmed(StreamAddress before) {
    enter("what was trimmed");
    next = before.value();
    given(new Given.Lost(before.value()));
    isInside = false;
  }

  private void given(Given one) {
    history.run(client, call, () -> new Outcome.Gave(List.of(one)));
  }

  private void enter(String with) {
    if (isInside || state == State.CLOSED) {
      findings.broken("Subscribers", "%s is called with %s while %s", call, with, describe());
    } else if (state != State.FOLLOWING && mayStillBeGiven-- <= 0) {
      findings.broken("Subscribers", "%s is given %s though it is %s", call, with, describe());
    }
    isInside = true;
  }

  private String describe() {
    return state + (isInside ? ", in a call" : "");
  }

  private void distracted() {
    switch (chance.below(8)) {
      case 0 -> pause();
      case 1 -> close();
      default -> world.pause(Duration.ofNanos(chance.mostlyNear(0, SLOW_NANOS_MAX)));
    }
  }

  @Override
  public void onError(RuntimeException failure) {
    enterTheEnd();
    findings.broken("Subscribers", "%s cannot go on: %s", call, failure);
  }

  @Override
  public void onClosed() {
    enterTheEnd();
    if (state == State.FOLLOWING || state == State.PAUSED) {
      findings.broken("Subscribers", "nobody has closed %s", call);
    }
    state = State.CLOSED;
    subscription
        .filter(its -> its.position().value() < next)
        .ifPresent(its -> findings.broken("Subscribers", "%s, but %s is next", its, next));
  }

  private void enterTheEnd() {
    if (isInside || state == State.CLOSED) {
      findings.broken("Subscribers", "%s ends while %s", call, describe());
    }
  }

  @Override
  public String toString() {
    return call + " at " + next + ": " + describe();
  }
}
