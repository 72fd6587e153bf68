package corfu.objects.type;

import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A class whose objects can be replicated. It says which operations the class has, how an operation
 * is applied to an object's state, and which replica users hold. Generated as a rule;
 * implementations may be written by hand, too.
 *
 * <p>A type has no state, and is thread-safe. Its callers guard the states that they pass to it:
 * nobody changes a state while another thread reads it.
 *
 * @param <T> what users call; states are of it, too
 */
public interface ObjectType<T> {

  /** For people: what messages and listings call it. */
  String name();

  /**
   * Returns the name that marks this type's checkpoints. Types that can load their states from each
   * other's checkpoints return the same name, in every version of these types.
   */
  default String stateName() {
    return name();
  }

  /**
   * Returns the name by which a server that hosts views finds the type. The server may have been
   * given a type under this name. Otherwise the name is that of a class whose annotations say
   * everything.
   */
  default String hostedName() {
    return name();
  }

  /**
   * Returns the types of the objects' values that only users know; a host has to know them, too.
   */
  default Collection<Type> hostedTypes() {
    return List.of();
  }

  /** Its operations; elsewhere they are named by their places in this list. */
  List<Operation> operations();

  /**
   * Returns the types of values in arguments and states, besides those that every serializer knows.
   */
  Collection<Type> valueTypes();

  /**
   * Returns the declarations that the serializer checks before an object is opened. The list is
   * empty if a compiler has checked them, or if nobody can tell.
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
   * Returns the object that users hold, which implements {@link Replica}. It turns each call of an
   * operation into a call of the invoker.
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
