package corfu.objects.collection.internal;

import static corfu.objects.collection.internal.SequencePart.ELEMENT;
import static corfu.objects.collection.internal.SequencePart.END;
import static corfu.objects.collection.internal.SequencePart.FRONT;
import static corfu.objects.collection.internal.SequencePart.LENGTH;

import corfu.objects.type.Operation.Keys;
import corfu.objects.type.Operation.Made;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which calls on lists, queues and stacks stand in each other's way: all types that may share a
 * stream tell by the same keys, the parts of a sequence and the indexes of what is set. What is not
 * here is about the whole sequence.
 */
public final class SequenceKeys {

  private static final List<@Nullable Object> WHOLE = List.of();
  private static final List<@Nullable Object> NOTHING = List.of(Keys.NONE);

  private SequenceKeys() {}

  /** What adds at the end. It always does, so it has read nothing. */
  public static Keys adds() {
    return keys(List.of(LENGTH), call -> NOTHING);
  }

  /** What adds at the front. */
  public static Keys addsFirst() {
    return keys(List.of(FRONT), call -> NOTHING);
  }

  /** What takes the first element, or looks at it and takes nothing. */
  public static Keys takesFirst() {
    return keys(List.of(FRONT), SequenceKeys::first);
  }

  /** What takes as many as its argument says, as far as there are. */
  public static Keys takesSeveral() {
    return keys(List.of(FRONT), call -> hasTakenAll(call) ? first(call) : WHOLE);
  }

  /** What takes the last element. */
  public static Keys takesLast() {
    return keys(List.of(END), call -> WHOLE);
  }

  /** What looks at the element whose index is its argument. */
  public static Keys looksAtIndex() {
    return keys(WHOLE, SequenceKeys::atIndex);
  }

  /** What sets the element whose index is its first argument, and tells what was there. */
  public static Keys setsIndex() {
    return new Keys() {
      @Override
      public List<@Nullable Object> of(@Nullable Object[] arguments) {
        return listOf(arguments[0], ELEMENT);
      }

      @Override
      public List<@Nullable Object> read(Made call) {
        return atIndex(call);
      }
    };
  }

  /** What tells how many there are. */
  public static Keys counts() {
    return keys(WHOLE, call -> listOf(FRONT, LENGTH, END));
  }

  private static Keys keys(
      List<@Nullable Object> changed, Function<Made, List<@Nullable Object>> read) {
    return new Keys() {
      @Override
      public List<@Nullable Object> of(@Nullable Object[] arguments) {
        return changed;
      }

      @Override
      public List<@Nullable Object> read(Made call) {
        return read.apply(call);
      }
    };
  }

  /** If there was a first element, of others, it does not matter what is added at the end. */
  private static List<@Nullable Object> first(Made call) {
    boolean isOfOthers = call.returned().isPresent() && !call.changed().test(LENGTH);
    return isOfOthers ? listOf(FRONT, END, ELEMENT) : WHOLE;
  }

  private static boolean hasTakenAll(Made call) {
    return call.returned().orElse(WHOLE) instanceof List<?> taken
        && Integer.valueOf(taken.size()).equals(call.arguments()[0]);
  }

  /** As long as the transaction itself has moved nothing, an index means the same to everybody. */
  private static List<@Nullable Object> atIndex(Made call) {
    boolean hasMoved =
        call.changed().test(FRONT) || call.changed().test(LENGTH) || call.changed().test(END);
    return call.returned().isPresent() && !hasMoved
        ? listOf(call.arguments()[0], FRONT, END)
        : WHOLE;
  }

  private static List<@Nullable Object> listOf(@Nullable Object... keys) {
    return Arrays.asList(keys);
  }
}
