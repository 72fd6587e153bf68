package corfu.objects.type;

import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A class whose objects can be replicated: which operations it has, how one is carried out on an
 * object's state, and what users hold in its place. Generated as a rule; implementations may be
 * written by hand, too.
 *
 * <p>A type has no state, and is thread-safe. What it is given to work on is guarded by whoever
 * gives it: nobody changes a state while it is read.
 *
 * @param <T> what users call; states are of it, too
 */
public interface ObjectType<T> {

  /** For people: what messages and listings call it. */
  String name();

  /**
   * What checkpoints are marked with: types whose states can be loaded from each other's
   * checkpoints say the same, in every version of theirs.
   */
  default String stateName() {
    return name();
  }

  /**
   * By what a server that hosts views finds it: a type that was given to the server under the same
   * name, or the class of this name, where its annotations say all.
   */
  default String hostedName() {
    return name();
  }

  /** What values its objects hold that only their users know of; a host has to know them, too. */
  default Collection<Type> hostedTypes() {
    return List.of();
  }

  /** Its operations; elsewhere they are named by their places in this list. */
  List<Operation> operations();

  /** What values may occur in its arguments and states, beyond what every serializer knows. */
  Collection<Type> valueTypes();

  /**
   * What the serializer is asked about before an object is opened; empty where a compiler has
   * looked, or nobody can tell.
   */
  default List<Written> written() {
    return List.of();
  }

  /** The state of an object to which nothing has happened: equal wherever it is made. */
  T create();

  /**
   * Carries an operation out.
   *
   * @param operation an accessor's, mutator's or mutator-accessor's place in {@link #operations}
   * @param arguments as many as it has parameters
   * @return what the method returned; null where it returns nothing
   * @throws Throwable what the method threw
   */
  @Nullable Object apply(T state, int operation, @Nullable Object[] arguments) throws Throwable;

  /**
   * Looks at the arguments of a change before it is written.
   *
   * @throws RuntimeException if it can't be meant; then its caller is told, and nothing happens
   */
  default void check(int operation, @Nullable Object[] arguments) {}

  /**
   * What users hold: each call of an operation becomes one of the invoker. It implements {@link
   * Replica}.
   */
  T replica(Invoker invoker);

  /** Its state is not its own, but that of other objects that it is made of. */
  default boolean isComposed() {
    return false;
  }

  /**
   * Whether an update that calls this operation, which the type does not have, belongs neither to a
   * later version of the type nor to another view of the same stream. Views refuse such an update,
   * and go on. Of a class that may gain methods nobody can tell: its views stop there.
   */
  default boolean isForeign(String operation) {
    return false;
  }

  /**
   * Whether an update that calls this operation, which the type has, shows that the stream is of
   * this type. It does not where types of other streams have an operation of the same name.
   */
  default boolean identifies(String operation) {
    return true;
  }

  /**
   * How states are forked and saved; empty: by serializing all of them, which is slow where they
   * are large.
   */
  default Optional<Snapshots<T>> snapshots() {
    return Optional.empty();
  }
}
