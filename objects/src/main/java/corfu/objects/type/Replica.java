package corfu.objects.type;

/** What users hold in place of a replicated object can tell whom it hands its calls to. */
public interface Replica {

  /** Whom it hands its calls to; the name is one that no class has by chance. */
  Invoker corfuInvoker();
}
