package corfu.objects.composed;

import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A type of composed objects: they have neither a state nor operations, but parts that do. */
interface ComposedType<T> extends ObjectType<T> {

  @Override
  default boolean isComposed() {
    return true;
  }

  @Override
  default List<Operation> operations() {
    return List.of();
  }

  @Override
  default Collection<Type> valueTypes() {
    return List.of();
  }

  @Override
  default T create() {
    throw new UnsupportedOperationException("the state of a " + name() + " is that of its parts");
  }

  @Override
  default @Nullable Object apply(T state, int operation, @Nullable Object[] arguments) {
    throw new UnsupportedOperationException("a " + name() + " has no operations of its own");
  }
}
