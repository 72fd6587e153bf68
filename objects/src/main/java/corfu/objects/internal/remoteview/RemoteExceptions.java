package corfu.objects.internal.remoteview;

import corfu.objects.RemoteOperationException;
import corfu.objects.remote.ViewAnswer;
import corfu.objects.type.ObjectType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Optional;

/**
 * Creates the exception for the caller of an operation that threw at a host. The exception has the
 * same class and the same message if the client has that class with a constructor that accepts a
 * message. With only a constructor without parameters, the exception has the same class but no
 * message. Otherwise it is a {@link corfu.objects.RemoteOperationException}.
 */
final class RemoteExceptions {

  private RemoteExceptions() {}

  static Throwable again(ViewAnswer.Threw threw, ObjectType<?> type) {
    try {
      ClassLoader loader =
          Optional.ofNullable(type.create().getClass().getClassLoader())
              .orElse(ClassLoader.getSystemClassLoader());
      Class<?> named = Class.forName(threw.exception(), false, loader);
      if (Exception.class.isAssignableFrom(named)) {
        return made(named.asSubclass(Exception.class), threw);
      }
    } catch (ReflectiveOperationException | LinkageError | RuntimeException notHere) {
      // its name and message have to do
    }
    return new RemoteOperationException(threw.exception(), threw.message());
  }

  private static Exception made(Class<? extends Exception> type, ViewAnswer.Threw threw)
      throws ReflectiveOperationException {
    try {
      Constructor<? extends Exception> withMessage = type.getDeclaredConstructor(String.class);
      withMessage.setAccessible(true);
      return threw.message().isPresent()
          ? withMessage.newInstance(threw.message().get())
          : withMessage.newInstance((Object) null);
    } catch (NoSuchMethodException onlyWithout) {
      Constructor<? extends Exception> bare = type.getDeclaredConstructor();
      bare.setAccessible(true);
      return bare.newInstance();
    } catch (InvocationTargetException failed) {
      throw new ReflectiveOperationException(failed);
    }
  }
}
