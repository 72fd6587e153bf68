package corfu.objects.generated;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;

/** Finds what the annotation processor has left. */
final class CompiledTypes {

  private CompiledTypes() {}

  /** Empty: the class was compiled without it. */
  @SuppressWarnings("unchecked") // it says what it is the type of
  static <T> Optional<CompiledType<T>> of(Class<T> type) {
    String binary = type.getName();
    int from = binary.lastIndexOf('.') + 1;
    String name = binary.substring(0, from) + CompiledType.nameFor(binary.substring(from));
    try {
      Class<?> compiled = Class.forName(name, true, type.getClassLoader());
      Object instance =
          MethodHandles.privateLookupIn(compiled, MethodHandles.lookup())
              .findConstructor(compiled, MethodType.methodType(void.class))
              .asType(MethodType.methodType(Object.class))
              .invokeExact();
      if (instance instanceof CompiledType<?> found && found.type() == type) {
        return Optional.of((CompiledType<T>) found);
      }
      return Optional.empty();
    } catch (ClassNotFoundException none) {
      return Optional.empty();
    } catch (IllegalAccessException closed) {
      throw new ObjectTypeException(
          "the module of %s has to open the package %s to corfu.objects"
              .formatted(type.getName(), type.getPackageName()),
          closed);
    } catch (Throwable failure) {
      throw new ObjectTypeException(
          "%s can't be used: %s. Was it compiled with another version? Compile %s again"
              .formatted(name, failure, type.getName()),
          failure);
    }
  }
}
