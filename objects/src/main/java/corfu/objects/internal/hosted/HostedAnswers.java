package corfu.objects.internal.hosted;

import corfu.objects.internal.state.Outcome;
import corfu.objects.internal.view.View;
import corfu.objects.remote.Refusal;
import corfu.objects.remote.ViewAnswer;
import corfu.objects.remote.ViewAnswer.Seen;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.ValueOutput;
import java.nio.ByteBuffer;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a host tells what operations returned and threw, as far as that can travel. */
final class HostedAnswers {

  private static final Logger LOG = LoggerFactory.getLogger(HostedAnswers.class);

  private final View<?> view;
  private final int resultBytesMax;

  HostedAnswers(View<?> view, int resultBytesMax) {
    this.view = view;
    this.resultBytesMax = resultBytesMax;
  }

  /** Returns the answer for the outcome of a change. */
  ViewAnswer of(Outcome outcome) {
    Throwable failure = outcome.failure();
    return failure == null ? returned(outcome.value(), Seen.NOTHING) : threw(failure, Seen.NOTHING);
  }

  ViewAnswer returned(@Nullable Object value, Seen seen) {
    ValueOutput out = new ValueOutput();
    try {
      view.serializer().writePointing(new @Nullable Object[] {travelling(value)}, out);
    } catch (SerializationException e) {
      return new ViewAnswer.Refused(
          Refusal.RESULT_CANNOT_TRAVEL,
          "what it returned can't be written: %s; open the object locally for that"
              .formatted(e.getMessage()));
    }
    ByteBuffer bytes = out.toBuffer();
    if (bytes.remaining() > resultBytesMax) {
      return new ViewAnswer.Refused(
          Refusal.RESULT_TOO_LARGE,
          "it returned %d bytes, and an answer has %d at most; read it in parts, or locally"
              .formatted(bytes.remaining(), resultBytesMax));
    }
    return new ViewAnswer.Returned(bytes, seen);
  }

  /** Sorted views of persistent structures become what the receiver can make again. */
  private static @Nullable Object travelling(@Nullable Object value) {
    return switch (value) {
      case NavigableMap<?, ?> map when map.comparator() == null -> new TreeMap<>(map);
      case NavigableSet<?> set when set.comparator() == null -> new TreeSet<>(set);
      case null, default -> value;
    };
  }

  ViewAnswer threw(Throwable failure, Seen seen) {
    if (failure instanceof Error error) {
      LOG.error("an operation of hosted object {} failed", view.name(), error);
      return new ViewAnswer.Refused(Refusal.NOT_NOW, "the host failed at it: " + error);
    }
    return new ViewAnswer.Threw(
        failure.getClass().getName(), Optional.ofNullable(failure.getMessage()), seen);
  }
}
