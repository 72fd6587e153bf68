package corfu.objects.type;

import java.lang.reflect.Type;

/**
 * Something of a type that a serializer has to be able to write: it is asked when an object is
 * opened, so that what can't work does not wait for the first call.
 *
 * @param what for people, as in {@code parameter 1 of bank.Account.deposit(long)}
 * @param type what it is declared as
 */
public record Written(String what, Type type) {

  /** How a parameter of a method is called. */
  public static String parameter(int place, String method) {
    return "parameter %d of %s".formatted(place + 1, method);
  }

  /** How the result of a method is called. */
  public static String result(String method) {
    return "the result of " + method;
  }

  /** How what an object is made of is called. */
  public static String state(String type) {
    return "the state of " + type;
  }
}
