/** `authentication.k8s.io/v1`. */
import { metaTypes } from './meta.ts';
import { TypeTable } from './type-table.ts';

export const authenticationTypes = new TypeTable(
  `
SelfSubjectReview : Asks who one is.
   1 metadata ObjectMeta
   2 status   SelfSubjectReviewStatus

SelfSubjectReviewStatus
   1 userInfo UserInfo

UserInfo
   1 username string
   2 uid      string
   3 groups   []string              atomic
   4 extra    map[string]ExtraValue
`,
  metaTypes,
);
