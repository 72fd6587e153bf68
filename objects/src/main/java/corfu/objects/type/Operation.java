package corfu.objects.type;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A method that can be called on a replicated object.
 *
 * @param name what the log calls it; no two operations of a type have the same. It stays what it is
 *     for as long as there are logs with it.
 * @param kind what it does to the object
 * @param keys which keys of the object it is about; empty: always the whole object
 */
public record Operation(String name, Kind kind, Optional<Keys> keys) {

  /** How many characters a name may have. */
  public static final int LONGEST_NAME = 255;

  private static final String RESERVED = "corfu:";

  /** An operation's effect on its object. */
  public enum Kind {
    /** Reads it. */
    ACCESSOR,
    /** Changes it; its caller does not wait for the outcome. */
    MUTATOR,
    /** Changes it, and tells its caller the outcome. */
    MUTATOR_ACCESSOR,
    /** Runs with its caller, calls operations of objects, and is no change itself. */
    TRANSACTION,
    /** The same, and changes nothing. */
    READ_ONLY_TRANSACTION;

    /** Whether it is written to the log. */
    public boolean changes() {
      return this == MUTATOR || this == MUTATOR_ACCESSOR;
    }
  }

  /** Tells which keys a call is about. */
  @FunctionalInterface
  public interface Keys {

    /** Stands for no key: a call that has read this, and nothing else, has read nothing. */
    Object NONE = NoKey.NONE;

    /** The keys; empty: the whole object. A key that the operation does not touch does no harm. */
    List<@Nullable Object> of(@Nullable Object[] arguments);

    /**
     * Returns the keys that a transaction's call has read, once its outcome is known. If the list
     * is empty, the call has read the whole object. The transaction holds if nobody else has
     * changed these keys.
     */
    default List<@Nullable Object> read(Made call) {
      return of(call.arguments());
    }

    /** The argument at this place is the key. */
    static Keys argument(int place) {
      return arguments -> Collections.singletonList(arguments[place]);
    }

    /** The argument at this place is a map with the keys, or a collection of them. */
    static Keys elementsOf(int place) {
      return arguments ->
          switch (arguments[place]) {
            case Map<?, ?> map -> new ArrayList<@Nullable Object>(map.keySet());
            case Collection<?> elements -> new ArrayList<@Nullable Object>(elements);
            case null, default -> List.of();
          };
    }
  }

  private enum NoKey {
    NONE
  }

  /**
   * A call that a transaction has made.
   *
   * @param arguments as many as the operation has parameters
   * @param returned empty: null, or it threw
   * @param changed whether the transaction itself had changed a key before this call, so that what
   *     it returned may not be what others have left there
   */
  @SuppressWarnings("ArrayRecordComponent") // it is looked at once
  public record Made(
      @Nullable Object[] arguments, Optional<Object> returned, Predicate<Object> changed) {}

  /**
   * Whether a name is Corfu's own to give. Operations that later versions add to collections have
   * such names, so that earlier versions stop there.
   */
  public static boolean isReserved(String name) {
    return name.startsWith(RESERVED);
  }

  public Operation {
    if (isReserved(name)) {
      throw new IllegalArgumentException(
          "no operation's name begins with " + RESERVED + ", but this is " + name);
    }
    if (name.isEmpty() || name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "an operation's name has 1 to " + LONGEST_NAME + " characters, but this is " + name);
    }
  }

  /** An operation on the whole object. */
  public Operation(String name, Kind kind) {
    this(name, kind, Optional.empty());
  }
}
