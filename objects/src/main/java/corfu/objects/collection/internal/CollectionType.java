package corfu.objects.collection.internal;

import corfu.objects.generated.ObjectTypes;
import corfu.objects.type.Invoker;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import corfu.objects.type.Snapshots;
import corfu.objects.type.Written;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The type of a collection: that of its interface, with conflicts that annotations can't tell, and
 * with the changes that other collections make which may share a stream with it. Two of them are
 * equal if they are of the same kind and hold the same, so that one object has one view however
 * often it is opened.
 *
 * @param <T> the collection's interface
 */
public final class CollectionType<T> implements ObjectType<T> {

  private final Families families;
  private final Object kind;
  private final String stateName;
  private final ObjectType<T> own;
  private final List<Operation> operations; // its own, then those of others
  private final List<Foreign<T>> foreign;
  private final List<Type> valueTypes;

  /** Families of collections: those of one may share a stream. */
  public interface Families {

    /** Returns whether a collection of the same family as this type has such an operation. */
    boolean isOfFamily(String type, String operation);

    /** Returns whether collections of different families have such an operation. */
    boolean isOfSeveralFamilies(String operation);
  }

  /** A change that is made through another type. */
  private record Foreign<T>(ObjectType<Object> type, int operation, Function<T, Object> as) {}

  private CollectionType(
      Families families,
      Object kind,
      String stateName,
      ObjectType<T> own,
      List<Operation> operations,
      List<Foreign<T>> foreign,
      List<Type> valueTypes) {
    this.families = families;
    this.kind = kind;
    this.stateName = stateName;
    this.own = own;
    this.operations = operations;
    this.foreign = foreign;
    this.valueTypes = valueTypes;
  }

  /**
   * One that is not told yet what values it holds.
   *
   * @param families of all collections
   * @param type the interface; the class of an interface does not tell of its parameters
   * @param returned of what classes of ours things are that its operations return
   */
  @SuppressWarnings("unchecked") // nothing in a class says of what its parameters are
  public static <T> CollectionType<T> of(
      Families families,
      Class<?> type,
      Supplier<? extends T> initial,
      Snapshots<T> snapshots,
      Class<?>... returned) {
    ObjectType<T> own =
        ObjectTypes.persistent((Class<T>) type, initial, snapshots, List.of(returned));
    return new CollectionType<>(
        families, type, type.getSimpleName(), own, own.operations(), List.of(), List.of());
  }

  /** The same for values of these types. */
  public CollectionType<T> holding(Type... types) {
    List<Type> all = new ArrayList<>(valueTypes);
    all.addAll(List.of(types));
    return new CollectionType<>(
        families, kind, stateName, own, operations, foreign, List.copyOf(all));
  }

  /** The same, whose checkpoints are those of another type, too. */
  public CollectionType<T> savedAs(String name) {
    return new CollectionType<>(families, kind, name, own, operations, foreign, valueTypes);
  }

  /** The same, with these keys for some of its own operations, by their names. */
  public CollectionType<T> withKeys(Map<String, Operation.Keys> keys) {
    return withKeys(kind, keys);
  }

  /**
   * The same; of another kind, for a declaration of the user's.
   *
   * @param declared what is equal where this is declared equally
   */
  public CollectionType<T> withKeys(Object declared, Map<String, Operation.Keys> keys) {
    Set<String> unknown = new HashSet<>(keys.keySet());
    List<Operation> changed = new ArrayList<>();
    for (Operation operation : operations) {
      Operation.@Nullable Keys others = keys.get(operation.name());
      unknown.remove(operation.name());
      changed.add(
          others == null
              ? operation
              : new Operation(operation.name(), operation.kind(), Optional.of(others)));
    }
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(this + " has no operations " + unknown);
    }
    return new CollectionType<>(
        families, declared, stateName, own, List.copyOf(changed), foreign, valueTypes);
  }

  /**
   * The same, which understands what another type writes into a stream of both.
   *
   * @param as gives what the other type works on for one of our states: a change of it changes the
   *     state
   */
  @SuppressWarnings("unchecked") // `as` says of which type it is
  public <X> CollectionType<T> understanding(CollectionType<X> other, Function<T, X> as) {
    Set<String> names = new HashSet<>();
    operations.forEach(operation -> names.add(operation.name()));
    List<Operation> all = new ArrayList<>(operations);
    List<Foreign<T>> theirs = new ArrayList<>(foreign);
    List<Operation> others = other.own.operations();
    for (int i = 0; i < others.size(); i++) {
      if (others.get(i).kind().changes() && names.add(others.get(i).name())) {
        all.add(others.get(i));
        theirs.add(
            new Foreign<>((ObjectType<Object>) other.own, i, (Function<T, Object>) (Object) as));
      }
    }
    return new CollectionType<>(
        families, kind, stateName, own, List.copyOf(all), List.copyOf(theirs), valueTypes);
  }

  @Override
  public String name() {
    return own.name();
  }

  @Override
  public String hostedName() {
    return own.hostedName();
  }

  @Override
  public Collection<Type> hostedTypes() {
    return valueTypes;
  }

  @Override
  public String stateName() {
    return stateName;
  }

  @Override
  public List<Operation> operations() {
    return operations;
  }

  @Override
  public Collection<Type> valueTypes() {
    List<Type> all = new ArrayList<>(own.valueTypes());
    foreign.forEach(each -> all.addAll(each.type.valueTypes()));
    all.addAll(valueTypes);
    return all;
  }

  @Override
  public List<Written> written() {
    List<Written> all = new ArrayList<>(own.written());
    valueTypes.forEach(type -> all.add(new Written("what a " + name() + " holds", type)));
    return all;
  }

  @Override
  public T create() {
    return own.create();
  }

  @Override
  public @Nullable Object apply(T state, int operation, @Nullable Object[] arguments)
      throws Throwable {
    int beyond = operation - own.operations().size();
    if (beyond < 0) {
      return own.apply(state, operation, arguments);
    }
    Foreign<T> change = foreign.get(beyond);
    return change.type.apply(change.as.apply(state), change.operation, arguments);
  }

  @Override
  public void check(int operation, @Nullable Object[] arguments) {
    own.check(operation, arguments);
  }

  @Override
  public T replica(Invoker invoker) {
    return own.replica(invoker);
  }

  /** A collection has the operations that it has; its later versions name others otherwise. */
  @Override
  public boolean isForeign(String operation) {
    return !Operation.isReserved(operation) && !families.isOfFamily(name(), operation);
  }

  @Override
  public boolean identifies(String operation) {
    return !families.isOfSeveralFamilies(operation);
  }

  @Override
  public Optional<Snapshots<T>> snapshots() {
    return own.snapshots();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CollectionType<?> type
        && type.kind.equals(kind)
        && type.valueTypes.equals(valueTypes);
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + valueTypes.hashCode();
  }

  @Override
  public String toString() {
    return "object type " + own.name() + " of " + valueTypes;
  }
}
