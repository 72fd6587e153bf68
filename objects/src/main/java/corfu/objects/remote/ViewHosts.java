package corfu.objects.remote;

import corfu.objects.serial.SerializationException;
import corfu.protocol.Endpoint;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Reply;
import corfu.protocol.message.ViewReply;
import corfu.protocol.message.ViewRequest;
import corfu.runtime.CallScope;
import corfu.runtime.Deadline;
import corfu.runtime.StreamAccess;
import corfu.runtime.UnavailableException;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A client's access to the servers that host views. It chooses the server to ask about an object,
 * and does not ask a server for a while after a failure. Thread-safe.
 */
public final class ViewHosts {

  /** The client does not ask a server that hosts nothing again before this time has passed. */
  private static final Duration NO_HOST = Duration.ofSeconds(10);

  /**
   * The rest of a server that does not answer, before doublings; each failure in a row doubles it.
   */
  private static final Duration FIRST_REST = Duration.ofMillis(100);

  private static final int MOST_DOUBLINGS = 6;

  /** The rest of an overloaded server. */
  private static final Duration BUSY = Duration.ofMillis(20);

  private final StreamAccess streams;
  private final World world;
  private final Duration patience;
  private final Duration playing;
  private final ConcurrentHashMap<Endpoint, Standing> standings = new ConcurrentHashMap<>();

  /** The client's knowledge of a server: when it may be asked again, and its failures in a row. */
  private static final class Standing {
    final AtomicLong restsUntil;
    volatile int failures;

    Standing(long now) {
      restsUntil = new AtomicLong(now);
    }
  }

  /** The outcome of asking the hosts. */
  public sealed interface Outcome {}

  /** A host has answered; if all refuse, this is what the first one says. */
  public record Answered(ViewAnswer answer, Endpoint host) implements Outcome {}

  /** No host has answered in time, or there is none. */
  public record Nobody(String why) implements Outcome {}

  /**
   * @param patience how long a host may take for one call
   * @param playing how long it may take as long as it is still playing the object
   */
  public ViewHosts(StreamAccess streams, Duration patience, Duration playing) {
    this.streams = streams;
    this.world = streams.world();
    this.patience = patience;
    this.playing = playing;
  }

  /** Asks hosts of an object, one after the other, until one has answered. */
  public Outcome call(HostOrder object, ViewCall call) {
    Deadline deadline = streams.deadline();
    CallScope part = streams.within(deadline);
    try {
      return call(object, call, deadline);
    } finally {
      part.end();
    }
  }

  private Outcome call(HostOrder object, ViewCall call, Deadline deadline) {
    long millis = Duration.ofNanos(deadline.remainingNanos(patience)).toMillis();
    ViewRequest.Call request =
        new ViewRequest.Call(object.stream(), (int) Math.max(1, millis), call.encoded());
    @Nullable Answered refused = null;
    List<String> failures = new ArrayList<>();
    for (Endpoint host : object.under(streams.layout())) {
      if (deadline.hasPassed()) {
        failures.add("the time of the call, %s, is over".formatted(deadline.timeout()));
        break;
      }
      Standing standing = standings.computeIfAbsent(host, first -> new Standing(world.nanoTime()));
      if (!isToBeAsked(standing)) {
        continue;
      }
      Optional<ViewAnswer> answer = askWhilePlaying(host, standing, request, failures);
      if (answer.isPresent()) {
        Answered answered = new Answered(answer.get(), host);
        if (!(answer.get() instanceof ViewAnswer.Refused)) {
          return answered;
        }
        refused = refused == null ? answered : refused;
      }
    }
    if (refused != null) {
      return refused;
    }
    return new Nobody(
        failures.isEmpty() ? "no server hosts views just now" : String.join("; ", failures));
  }

  /** Whether there is a server that may answer at once. */
  public boolean isAnybodyToAsk(HostOrder object) {
    for (Endpoint host : object.under(streams.layout())) {
      @Nullable Standing standing = standings.get(host);
      if (standing == null || world.nanoTime() - standing.restsUntil.get() >= 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether the caller may ask a server. Once a failed server's rest is over, only one
   * caller tries it.
   */
  private boolean isToBeAsked(Standing standing) {
    long now = world.nanoTime();
    long until = standing.restsUntil.get();
    if (now - until < 0) {
      return false;
    }
    return standing.failures == 0
        || standing.restsUntil.compareAndSet(until, now + patience.toNanos());
  }

  /** Nobody is helped by a host that plays the same object, or by this client's playing it. */
  private Optional<ViewAnswer> askWhilePlaying(
      Endpoint host, Standing standing, ViewRequest.Call request, List<String> failures) {
    long since = world.nanoTime();
    while (true) {
      Optional<ViewAnswer> answer = ask(host, standing, request, failures);
      if (answer.isEmpty()
          || !(answer.get() instanceof ViewAnswer.Refused refused)
          || refused.refusal() != Refusal.PLAYING
          || world.nanoTime() - since >= playing.toNanos()) {
        return answer;
      }
      streams.deadline().renew(); // the host gets on
    }
  }

  private Optional<ViewAnswer> ask(
      Endpoint host, Standing standing, ViewRequest.Call request, List<String> failures) {
    Reply reply;
    try {
      reply = streams.ask(host, request, patience);
    } catch (UnavailableException silent) {
      failures.add(String.valueOf(silent.getMessage()));
      if (streams.deadline().hasPassed()) {
        return Optional.empty(); // it was not given the time
      }
      standing.failures = Math.min(MOST_DOUBLINGS, standing.failures + 1);
      rest(standing, FIRST_REST.multipliedBy(1L << standing.failures));
      return Optional.empty();
    }
    switch (reply) {
      case ViewReply.Answered(var bytes) -> {
        standing.failures = 0;
        return decoded(host, bytes, failures);
      }
      case Failure.Overloaded(var why) -> {
        standing.failures = 0;
        rest(standing, BUSY);
        failures.add("the host at " + host + " is overloaded: " + why);
      }
      case Failure.NotServing no -> rest(standing, NO_HOST);
      default -> {
        rest(standing, NO_HOST);
        failures.add("the server at " + host + " answered with " + reply);
      }
    }
    return Optional.empty();
  }

  private static Optional<ViewAnswer> decoded(
      Endpoint host, ByteBuffer bytes, List<String> failures) {
    try {
      return Optional.of(ViewAnswer.decode(bytes));
    } catch (SerializationException e) {
      failures.add("the answer of the host at " + host + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private void rest(Standing standing, Duration time) {
    standing.restsUntil.set(world.nanoTime() + time.toNanos());
  }
}
