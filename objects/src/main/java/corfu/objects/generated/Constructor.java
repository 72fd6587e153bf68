package corfu.objects.generated;

import corfu.objects.rule.ClassRules;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;

/** Calls a class's constructor without parameters. */
final class Constructor<T> {

  private final Class<T> type;
  private final MethodHandle handle;

  Constructor(Class<T> type) {
    this.type = type;
    if (Modifier.isAbstract(type.getModifiers())) {
      throw new ObjectTypeException(ClassRules.isAbstract(type.getName()));
    }
    try {
      this.handle =
          MethodHandles.privateLookupIn(type, MethodHandles.lookup())
              .findConstructor(type, MethodType.methodType(void.class))
              .asType(MethodType.methodType(Object.class));
    } catch (NoSuchMethodException e) {
      throw new ObjectTypeException(ClassRules.noConstructor(type.getName()), e);
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
      throw failed(type, failure);
    }
  }

  static ObjectTypeException failed(Class<?> type, Throwable failure) {
    return new ObjectTypeException(
        "the constructor of " + type.getName() + " failed: " + failure, failure);
  }
}
