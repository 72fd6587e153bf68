package corfu.objects.type;

/** The object that users hold in place of a replicated object; it hands its calls to an invoker. */
public interface Replica {

  /** Returns the invoker that receives the calls. No class has a method of this name by chance. */
  Invoker corfuInvoker();
}
