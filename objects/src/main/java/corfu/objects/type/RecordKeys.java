package corfu.objects.type;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hashes of records: of their components, in their order. Those whose class has an {@code equals}
 * of its own, or can't be looked into, all have one hash.
 */
final class RecordKeys {

  private static final MethodType READS = MethodType.methodType(Object.class, Object.class);

  private static final ClassValue<List<MethodHandle>> COMPONENTS =
      new ClassValue<>() {
        @Override
        protected List<MethodHandle> computeValue(Class<?> type) {
          return componentsOf(type);
        }
      };

  private RecordKeys() {}

  static long of(Record value) {
    List<MethodHandle> components = COMPONENTS.get(value.getClass());
    @Nullable Object[] values = new @Nullable Object[components.size()];
    for (int i = 0; i < values.length; i++) {
      try {
        values[i] = (Object) components.get(i).invokeExact((Object) value);
      } catch (Throwable failure) {
        throw new IllegalStateException("can't read a component of a key " + value, failure);
      }
    }
    return KeyHash.mix(KeyHash.text(value.getClass().getName()) + KeyHash.ordered(values));
  }

  static boolean isOfComponents(Class<? extends Record> type) {
    return !COMPONENTS.get(type).isEmpty();
  }

  private static List<MethodHandle> componentsOf(Class<?> type) {
    List<MethodHandle> components = new ArrayList<>();
    try {
      if (hasOwnEquals(type)) {
        return List.of();
      }
      var lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      for (RecordComponent component : type.getRecordComponents()) {
        components.add(lookup.unreflect(component.getAccessor()).asType(READS));
      }
      return components;
    } catch (IllegalAccessException closed) {
      return List.of();
    }
  }

  /** The compiler's is final; one that somebody wrote is as he wrote it, final hardly ever. */
  private static boolean hasOwnEquals(Class<?> type) {
    try {
      return !Modifier.isFinal(type.getDeclaredMethod("equals", Object.class).getModifiers());
    } catch (NoSuchMethodException inherited) {
      return true;
    }
  }
}
