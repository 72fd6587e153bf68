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
 * The conflict keys of calls on lists, queues and stacks. All types that may share a stream use the
 * same keys: the parts of a sequence, and the indexes of elements that are set. Operations without
 * keys here touch the whole sequence.
 */
public final class SequenceKeys {

  private static final List<@Nullable Object> WHOLE = List.of();
  private static final List<@Nullable Object> NOTHING = List.of(Keys.NONE);

  private SequenceKeys() {}

  /**
   * Returns the keys of a call that adds at the end. Such a call always succeeds, so it reads
   * nothing.
   */
  public static Keys adds() {
    return keys(List.of(LENGTH), call -> NOTHING);
  }

  /** Returns the keys of a call that adds at the front. */
  public static Keys addsFirst() {
    return keys(List.of(FRONT), call -> NOTHING);
  }

  /** Returns the keys of a call that removes the first element, or only reads it. */
  public static Keys takesFirst() {
    return keys(List.of(FRONT), SequenceKeys::first);
  }

  /** Returns the keys of a call that removes up to as many first elements as its argument says. */
  public static Keys takesSeveral() {
    return keys(List.of(FRONT), call -> hasTakenAll(call) ? first(call) : WHOLE);
  }

  /** Returns the keys of a call that removes the last element. */
  public static Keys takesLast() {
    return keys(List.of(END), call -> WHOLE);
  }

  /** Returns the keys of a call that reads the element at the index in its argument. */
  public static Keys looksAtIndex() {
    return keys(WHOLE, SequenceKeys::atIndex);
  }

  /**
   * Returns the keys of a call that sets the element at the index in its first argument, and
   * returns the previous element.
   */
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

  /** Returns the keys of a call that reads the number of elements. */
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

  /**
   * If the first element existed before the transaction's own additions, the call does not conflict
   * with additions at the end.
   */
  private static List<@Nullable Object> first(Made call) {
    boolean isOfOthers = call.returned().isPresent() && !call.changed().test(LENGTH);
    return isOfOthers ? listOf(FRONT, END, ELEMENT) : WHOLE;
  }

  private static boolean hasTakenAll(Made call) {
    return call.returned().orElse(WHOLE) instanceof List<?> taken
        && Integer.valueOf(taken.size()).equals(call.arguments()[0]);
  }

  /**
   * An index denotes the same element for all clients only while the transaction itself has shifted
   * nothing.
   */
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
