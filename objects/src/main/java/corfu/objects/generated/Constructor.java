package corfu.objects.generated;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Calls a class's constructor without parameters. */
final class Constructor<T> {

  private final Class<T> type;
  private final MethodHandle handle;

  Constructor(Class<T> type) {
    this.type = type;
    try {
      this.handle =
          MethodHandles.privateLookupIn(type, MethodHandles.lookup())
              .findConstructor(type, MethodType.methodType(void.class))
              .asType(MethodType.methodType(Object.class));
    } catch (NoSuchMethodException e) {
      throw new ObjectTypeException(
          type.getName() + " needs a constructor without parameters; an inner class is static", e);
    } catch (IllegalAccessException e) {
      throw new ObjectTypeException(
          "the module of %s has to open the package %s to corfu.objects"
              .formatted(type.getName(), type.getPackageName()),
          e);
    }
  }

  T make() {
    try {
      return type.cast((Object) handle.invokeExact());
    } catch (Throwable failure) {
      throw new ObjectTypeException(
          "the constructor of " + type.getName() + " failed: " + failure, failure);
    }
  }
}
