package corfu.store.http.access;

/** The source of the permissions of a server's clients. */
public enum PermissionRule {

  /** The policy of the cluster says what each identity may do. */
  POLICY,

  /** Every client with a proven identity may do everything. */
  IDENTITY
}
