// Written by language-tables.py from the supplemental data of CLDR 41.

/// The likely subtags of CLDR: a script and a region, and the tags that they are added to.
let likelySubtags = """
  143 Ougr; AF uz-Arab; AL Elba Vith; AM Armn; Aghb-RU udi; Ahom-IN aho; Arab az-IQ az-IR ha-CM \
  ha-SD kk-AF kk-CN kk-IR kk-MN ku-LB ky-CN ms-CC pa-PK tg-PK uz-AF; Arab-AF haz ps; Arab-CM fub; \
  Arab-CN ug; Arab-DZ arq; Arab-EG ar arz; Arab-IN dcc ks; Arab-IQ ckb; Arab-IR bqi fa gbz glk \
  lki lrc luz mzn prd rmt sdh; Arab-KH cja; Arab-KM wni zdj; Arab-MA ary; Arab-NE kby; Arab-PK \
  bal bft bgn brh gjk gju hnd hno khw kvx kxp lah mvy sd skr trw ur; Arab-SA ars; Arab-SD bej \
  fia; Arab-TG apd; Arab-TH mfa; Arab-TN aeb; Arab-YT swb; Arab-ZZ apc avl dgl gwc gwt kzh mde \
  mki oru ota phl scl shu; Armi-IR arc; Armn-AM hy; Avst-IR ae; BD Beng Cakm Mroo Sylo; BG Glag \
  cu-Glag; Bamu-CM bax; Bass-LR bsq; Beng-BD bn rkt syl; Beng-IN as bpy grt mni unr unx; Brah-IN \
  pka; CA Cans; CM Bamu; CN Hani Hans Kits Lisu Mani Marc Mong Nshu Phag Phlp Plrd Tale Talu Tang \
  Tibt Yiii kk-Arab ky-Arab mn-Mong pal-Phlp yue-Hans; CY Cpmn Cprt; Cakm-BD ccp; Cans-CA cr crk \
  crl csw iu nsk oj ojs; Cari-TR xcr; Cham-VN cjm; Cher-US chr; Chrs-UZ xco; Copt-EG cop; Cprt-CY \
  grc; Cyrl az-RU ug-KZ ug-MN uz-CN; Cyrl-BG bg; Cyrl-BY be; Cyrl-GE ab os; Cyrl-KG ky; Cyrl-KZ \
  kk; Cyrl-MK mk; Cyrl-MN mn; Cyrl-RS sr; Cyrl-RU ady alt av ba bua ce chm cu cv dar inh kbd koi \
  krc kum kv lbe lez mdf mrj myv ru sah tt tyv udm; Cyrl-TJ tg; Cyrl-UA crh rue uk; Cyrl-UZ kaa; \
  Cyrl-ZZ abq; Deva sd-IN unr-NP; Deva-IN awa bfy bgc bhb bhi bho bjj bra brx doi gbm gom hi hne \
  hoc hoj kfr kfy khn kok kru kxl mag mai mr mtr mwr noe ppa raj sa sck srx swv wbr wtm xnr; \
  Deva-NP bap dty ggn gvr jml lif mgp mrd ne new rjs taj tdg tdh thl thq thr tkt tsf xsr; Deva-PK \
  btv; EG Arab Copt Egyp; ET Ethi; Egyp-EG egy; Ethi-ER byn tig; Ethi-ET am gez ti wal; Ethi-ZZ \
  bcq bji bst drs gmv gof hdy kqy ktb kxc mdx mym sgw; FR Brai Dupl; GB Shaw en-Shaw; GE Geor \
  Yezi ku-Yezi; GN Adlm Nkoo ff-Adlm man-Nkoo; GR Grek Lina Linb grc-Linb; Geor-GE ka xmf; \
  Gong-IN wsg; Gonm-IN esg; Goth-UA got; Grek-GR el pnt tsd; Grek-TR bgx; Gujr-IN gu; Guru-IN pa; \
  HU Hung; Hans yue-CN; Hans-CN gan hak hsn lzh nan wuu zh; Hant zh-AU zh-BN zh-GB zh-GF zh-HK \
  zh-ID zh-MO zh-PA zh-PF zh-PH zh-SR zh-TH zh-TW zh-US zh-VN; Hant-HK yue; Hebr-001 yi; Hebr-IL \
  he iw lad; Hebr-UA ji; Hluw-TR hlu; Hmnp-US hnj mww; ID Bali Batk Bugi Java Kawi Maka Rjng \
  Sund; IE Ogam; IL Hebr Samr; IN Ahom Bhks Brah Deva Dogr Gong Gonm Gran Gujr Guru Khoj Knda \
  Kthi Lepc Limb Mahj Mlym Modi Mtei Nagm Nand Olck Orya Saur Shrd Sidd Sind Sora Takr Taml Telu \
  Tirh Tnsa Toto Wara Wcho hi-Latn lif-Limb sd-Deva sd-Khoj sd-Sind; IQ Syrc Xsux ku-Arab; IR \
  Armi Avst Elym Mand Phli Prti Xpeo az-Arab; IT Ital; Ital-IT ett; JO Nbat arc-Nbat; JP Hira \
  Jpan Kana; Jpan-JP ja; KH Khmr; KR Hang Jamo Kore; KZ ug-Cyrl; Kali-MM eky; Kana-JP ryu; \
  Kawi-ID kaw; Khar-PK pra; Khmr-KH km; Kits-CN zkt; Knda-IN kn tcy; Kore-KR ko; LA Hmng Laoo; LB \
  Phnx; LK Sinh; LR Bass Vaii; Lana-TH nod; Laoo-LA kjg lo; Latn ky-TR rif-NL sr-ME sr-RO sr-RU \
  sr-TR; Latn-001 eo ia io jbo prg vo; Latn-AL sq; Latn-AO kmb umb; Latn-AT bar; Latn-AU wbp; \
  Latn-AW pap; Latn-AZ az tkr tly ttt; Latn-BA bs; Latn-BE vls wa; Latn-BF dyu mos; Latn-BI rn; \
  Latn-BJ fon; Latn-BO aro ay; Latn-BR gub kgp pt xav yrl; Latn-CA atj bla chp clc crg den dgr \
  gwi hur kwk lil mic moe moh oka pdt pqm; Latn-CD kg ln lol lu lua swc; Latn-CF sg; Latn-CH gsw \
  rm rmo wae; Latn-CI bci bqv daf dnj kfo sef; Latn-CL arn; Latn-CM agq bas bbj bfd bkm bss bum \
  byv dua ewo jgo ken kkj ksf maf mgo mua nmg nnh yav ybb; Latn-CN nxq za; Latn-CO guc; Latn-CV \
  kea; Latn-CZ cs; Latn-DE de dsb frr frs hsb ksh nds pfl stq swg vmf; Latn-DK da jut; Latn-DZ \
  kab; Latn-EC qug; Latn-EE et vro; Latn-ER ssy; Latn-ES an ast ca es eu ext gl; Latn-ET aa om \
  sid; Latn-FI fi rmf smn sms; Latn-FJ fj hif rtm; Latn-FM chk kos pon uli yap; Latn-FO fo; \
  Latn-FR br co fr frp oc pcd; Latn-GA puu; Latn-GB cy gd kw sco; Latn-GF gcr; Latn-GH abr ada ak \
  ee gaa gur nzi saf; Latn-GL kl; Latn-GM man; Latn-GN fuf sus; Latn-GQ bvb fan; Latn-GT quc; \
  Latn-GU ch; Latn-GW knf; Latn-HR hr; Latn-HT ht; Latn-HU hu; Latn-ID ace aoz ban bbc bew bjn \
  bug gay gor id in jv jw kge kvr lbw ljp mad mak mdr min mwv nij rej rob sas sly su sxn; Latn-IE \
  ga; Latn-IM gv; Latn-IN kha njo ria; Latn-IS is; Latn-IT egl fur it lij lmo nap pms rgn sc scn \
  sdc vec; Latn-JM jam; Latn-KE dav ebu guz kam ki kln luo luy mas mer pko saq; Latn-KI gil; \
  Latn-LR kpe; Latn-LT lt sgs; Latn-LU lb; Latn-LV ltg lv; Latn-MA tzm; Latn-MD gag; Latn-MG mg; \
  Latn-MH mh; Latn-ML bm bmq bze dtm ffm kao khq mwk ses snk; Latn-MM kac; Latn-MT mt; Latn-MU \
  mfe; Latn-MW ny tog tum; Latn-MX maz nch nhe nhw sei yua; Latn-MY blg dtp iba ktr kzj kzt ms \
  tdu zmi; Latn-MZ mgh ndc ngl rng seh vmw yao; Latn-NA hz kj naq ng; Latn-NE dje fuq tmh twq; \
  Latn-NG amo bin cch efi fuv ha ibb ig kaj kcg pcm tiv yo; Latn-NL fy gos li nl zea; Latn-NO nb \
  nn no se; Latn-NR na; Latn-NU niu; Latn-NZ mi; Latn-PE qu; Latn-PF ty; Latn-PG ho tpi; Latn-PH \
  bik bku bto ceb cps fil hil hnn ilo krj mdh pag pam tbw tl tsg war; Latn-PL csb pl sli szl; \
  Latn-PW pau; Latn-PY gn; Latn-RE rcf; Latn-RO mo ro; Latn-RU izh krl vep vot; Latn-RW rw; \
  Latn-SB rug; Latn-SC crs; Latn-SD fvr mls zag; Latn-SE fit rmu sma smj sv; Latn-SI sl; Latn-SK \
  sk; Latn-SL kri men tem; Latn-SN bjt dyo ff sav srr wo; Latn-SO so; Latn-SR srn; Latn-SS nus; \
  Latn-SX vic; Latn-TG ife kdh zlm; Latn-TK tkl; Latn-TL tet; Latn-TM tk; Latn-TO to; Latn-TR kiu \
  ku lzz tr tru zza; Latn-TV tvl; Latn-TW trv; Latn-TZ asa bez jmc kde ksb lag mgy nym rof rwk \
  sbp suk sw vun; Latn-UG ach cgg laj lg myx nyn teo ttj xog; Latn-US cad cho cic dak en esu frc \
  haw ik lkt mus nv pdc; Latn-UZ uz; Latn-VA la; Latn-VN vi; Latn-VU bi; Latn-WF fud wls; Latn-WS \
  sm; Latn-XK aln; Latn-YT buc; Latn-ZA af nr nso ss st tn ts ve xh zu; Latn-ZM bem loz; Latn-ZW \
  kck mxc nd sn; Latn-ZZ aai aak aau abi abt aby acd ade adj adz aey agc agd agg agm ago aha ahl \
  ajg ala ali amm amn amp anc ank ann any aoj aom ape apr aps apz arh asg aso ata atg auy avn avt \
  avu awb awo awx ayb bav bba bbb bbd bbp bbr bcf bch bcm bcn bco bcu bdd bef beh bet bex bhg bhl \
  bhy bib big bim bio biq bjh bjo bjr bjz bkc bkq bkv bmh bmk bmu bng bnm bnp boj bom bon bqc bqp \
  brz bsj btt bud buk buo bus buu bwd bwr bxh bye byr bys byx bza bzf bzh bzw can cbj cfa cjv ckl \
  cko cky cla cme dad dag dah dbd dbq ddn ded dga dgh dgi dgz dia dob dop dow dri dts duc dud dug \
  dva dww dzg eka ema emi enn enq eri etr etu etx eza faa fab fag fai ffi flr fmp fod for fpe fqs \
  fue fuh fuy gaf gah gaj gam gaw gba gbf gby gde gdn gdr geb gej gel gfk ghs gim gjn gkn gkp gmm \
  gnd gng god goi grb grw gud guw gux gvf gvs gyi hag ham hbb hhy hia hig hih hla hmt hot hui ian \
  iar iby ica ich idd idi idu igb ige ijj ikk ikw ikx imo iou iri iwm iws izi jab jar jbu jen jgk \
  jib jra kad kai kbm kbp kbq kbx kcl kct kdl kez kgf khs khz kij kiw kjd kjs kjy kkc klq klt klx \
  kmh kmo kms kmu kmw knp kol koz kpf kpo kpr kpx kqb kqf kqs kr krs ksd ksj ksr ktm kto kub kud \
  kue kuj kun kup kus kvg kwj kwo kwq kxa kxe kxw kxz kye kyx kzr las lbu lcm ldb led lee lem leq \
  leu lgg lia lid lig lih lle lln lmp lns lnu loj lok lor los maw mbh mbo mbq mbu mbw mci mcp mcq \
  mcr mcu mda mdj med mee mek met meu mfn mfo mfq mgl mhi mhl mif miw mkl mkp mkw mle mlp mmo mmu \
  mmx mna mnf moa mox mpp mps mpt mpx mql mtc mtf mti mur mva mvn mxm myk myw mzk mzm mzp mzw mzz \
  nac naf nak nas nca nce ncf nco ncu neb nex nfr nga ngb nhb nif nii nin niy niz nkg nko nmz nnf \
  nnk nnm nop nou nrb nsn nss ntm ntr nui nup nuv nux nwb nxr ogc okr okv ong onn ons opm oro ozm \
  pbi ped pex pil pip pla png pnn ppo pss ptp pwa rai rao rel res rna roo rro rwo sba sbe sgz shk \
  sig sil sim sjr skc sks sld sll smq snc snp snx sny sok soq soy spd spl sps ssd ssg stk sua sue \
  sur swp sxw tal tan taq tbc tbd tbf tbg tbo tbz tci ted tfi tgc tgo tgu tif tik tim tio tlf tlx \
  tmy tnh tof toq tpm tpz tqo tsw ttd tte ttr tuh tul tuq tvd tvu twh tya ubu uok uri urt urw usa \
  uth utr uvh uvl vag van viv vut waj wan wci wer wgi whg wib wiu wiv wja wji wmo wnc wnu wob wos \
  wrs wsk wuv wwa xbi xes xla xon xrb xsi xsm xwe yam yas yat yay yaz yba yby yer ygr ygw yko yle \
  ylg yll yml yon yrb yre yss yuj yut yuw zia zne; Lepc-IN lep; Lina-GR lab; Lisu-CN lis; Lyci-TR \
  xlc; Lydi-TR xld; MA Tfng; MM Kali Mymr Pauc Rohg; MN Orkh Soyo Zanb; MV Diak Thaa; Mand-IR \
  myz; Mani-CN xmn; Medf-NG dmf; Merc-SD xmr; Mlym-IN ml; Mong mn-CN; Mong-CN drh; Mroo-BD mro; \
  Mymr-IN kht; Mymr-MM mnw my shn; NG Medf; NP Newa unr-Deva; Narb-SA xna; Nkoo man-GN; Nkoo-GN \
  nqo; Nshu-CN zhx; Ogam-IE sga; Olck-IN sat; Orkh-MN otk; Orya-IN or; Osge-US osa; Ougr-143 oui; \
  PH Buhd Hano Tagb Tglg; PK Khar Mult pa-Arab tg-Arab; Pauc-MM ctd; Phli-IR pal; Phnx-LB phn; \
  Plrd-CN hmd; Prti-IR xpr; RU Aghb Cyrl Perm; Rohg-MM rhg; Runr-SE non; SA Narb; SD Merc Mero; \
  SE Runr; SL Mend; SO Osma; SY Palm Ugar arc-Palm; Samr-IL smp; Sarb-YE xsa; Saur-IN saz; \
  Sgnw-US ase; Sinh-LK si; Sogd-UZ sog; Sora-IN srb; Soyo-MN cmg; Syrc-IQ syr; TH Lana Thai; TR \
  Cari Hluw Lyci Lydi ky-Latn; TW Bopo Hanb Hant zh-Bopo zh-Hanb zh-Hant; Tale-CN tdd; Talu-CN \
  khb; Taml-IN bfq ta; Tang-CN txg; Tavt-VN blt; Telu-IN gon lmn te wbq; Tfng-MA rif shi zgh; \
  Thaa-MV dv; Thai-CN lcp; Thai-TH kdt kxm lwl sou th tts; Tibt-BT adp dz tsj; Tibt-CN bo; \
  Tnsa-IN nst; Toto-IN txo; UA Goth; US Cher Hmnp Osge Sgnw; UZ Chrs Sogd Sogo; Ugar-SY uga; VN \
  Cham Tavt; Vaii-LR vai; Wcho-IN nnp; Xpeo-IR peo; Xsux-IQ akk; YE Sarb; Yiii-CN ii
  """

/// Languages, and the tags that they replace.
let languageAliases = """
  aa aar; aas aam; ab abk; acn xia; adx pcr; ae ave; af afr; ak aka fat tw twi; am amh; ami ais; \
  amq elp; an arg; aog myd; aou gio; apf agp; aqd dkl; aqt sap; ar ara arb; as asm; ase sgn-US; \
  av ava; ay aym ayr; az aze azj; azd nln; ba bak; bal bcc; bcg bgm; be bel; beb btb; bfi sgn-GB; \
  bfy ppa; bg bul; bho bh bih; bi bis; bik bcl; bir bic; bjp tgg; bm bam; bmf krm; bn ben; bnc \
  lbk; bo bod tib; bpp nxu; br bre; bs bos; bua bxr; bzc bjq; bzs sgn-BR; ca cat; cax xba; ce \
  che; ch cha; chm mhr; cir meg; cmr cka; co cos; cr cre cwd; cs ces cze; csn sgn-CO; cu chu; cv \
  chv; cy cym wel; da dan; dbt dwl; de deu ger; del umu; den xsl; dev gav; dgl kzh; dif dit; din \
  dik; dmw mwd xrq; dnj daf; doi dgo; drl bjd; dse sgn-NL; dsl sgn-DK; dtd noo; dtp ktr kzj kzt \
  tdu; duz guv; dv div; dwu duj; dz adp dzo; dze djl; ebk bkb; ee ewe; ekc nbx; el ell gre; ema \
  uok; emx rmr; en eng; enl leg; eo epo; es spa; esg ggo; et ekk est; eu baq eus; eza izi; fa fas \
  per pes; fa-AF drw prs tnf; fbl bhk; ff fuc ful; fi fin; fil tgl tl; fj fij; fo fao; fr fra \
  fre; fsl sgn-FR; fy fry; ga gle; gal ilw; gba gya; gd gla; gdj kvs; gl glg; gn grn gug; gon \
  gno; grb gbo; gsg sgn-DE; gss sgn-GR; gtu ggr; gu guj; gv glv; gvr ggn; ha hau; hai hdn; he heb \
  iw; hi hin; hle sca; hmn hea; ho hmo; hr hrv scr; ht hat; hu hun; huw pmc; hy arm hye; hz her; \
  ia ina; iba blg; id in ind; ie ile; ig ibo; ii iii; ik esk ipk; ilm ill; io ido; is ice isl; \
  ise sgn-IT; isg sgn-IE; isk sgl; it ita; itd tid; iu ike iku; ja jpn; jal hrr; jbk mgx; jgk \
  jar; jkm kpp; jrb aju; jsl sgn-JP; jv jav jw; ka geo kat; kak tne; kdz ncp; kg kng kon; ki kik; \
  kj kua; kk kaz; kl kal; kln spy; km khm; kml kgh; kn kan; ko kor; kok knn; kpe xpe; kr kau knc; \
  kru kxl; ks kas; ktz aue; ku kmr kur; kv kom kpv; kw cor; kwv koj; kxr pat; ky kir; kzk drr \
  gli; la lat; lah pnb; lb ltz; lcq ppr; lg lug; li lim; ln lin; lo lao; lrr yma; lt lit; lu lub; \
  luy bxk; lv lav lvs; man emk mnk; mfs sgn-MX; mg mlg plt; mh mah; mi mao mri; mk mac mkd; ml \
  mal; mn drh khk mon; mom cjr; mr mar; mry mst myt; ms may msa zsm; mt mlt; mtm ymt; mwr dhd; my \
  bur mya; na nau; nb nob; nbr nns; ncq kgd; ncs sgn-NI; nd nde; ne nep npi; ng ndo; ngt llo; ngv \
  nnx; njz dap; nl dut nld; nn nno; no nor; nol wit; nr nbl; nrk nlr; nru nbf; nsi sgn-NO; nun \
  ayx; nv nav; nvo baz; nwo wiw; ny nya; nyc gti; oc oci; oj ojg oji; ola thw; om gaz orm; opa \
  ibi; or ori ory; os oss; oyb jeg skk thx; pa pan; phr pmu; pi pli; pij coy nts; pl pol; prt \
  pry; ps pbu pus; psr sgn-PT; pt por; pub puz; qu que quz; quh cqu; raj mup; raq lii; ras tie; \
  rki ccq ybd; rm roh; rmx lmm; rn run; ro mo mol ron rum; rom rmy; ru rus; rw kin; sa san; sc \
  src srd; scv zir; sd snd; se sme; sfs sgn-ZA; sg sag; sgd sul; si sin; sk slk slo; sl slv; sm \
  smo; sn sna; snz asd; so som; sq alb als sqi; sr scc srp; sr-Latn hbs sh; sr-ME cnr; srx him; \
  ss ssw; ssp sgn-ES; st sot; su sun; suj xsj; sv swe; sw swa swh; sw-CD swc; swl sgn-SE; syr \
  cld; ta tam; taj tsf; tdf kgc; te tel; tg tgk; th tha; ti tir; tk tuk; tmh ttq; tn tsn; to ton; \
  tpo thc; tr tur; ts tso; tt tat; tvd kxe; twm tkk; ty tah; tyj tmp; ug uig; uk ukr; ulw sum; ur \
  urd; uth dud; uz uzb uzn; vaj gfx mwj oun; ve ven; vi vie; vo vol; wa wln; waw xkh; weo tlw; \
  wgb wgw; wnn mnt; wny gbc; wo wol; wro unp; xch cmk; xh xho; xnt mof; xny nad; yam kwq; yi ji \
  ydd yid; ynq yen; yo yor; yrm yiy; yug yuu; za zha zyb; zap zai; zh chi cmn zho; zkd kdv; zom \
  yos; zu zul; zza diq
  """

/// Regions, the most populous first, and the codes that they replace.
let regionAliases = """
  034,143 062; AA 958; AD 020; AE 784; AF 004; AG 028; AI 660; AL 008; AM 051; AO 024; AQ 010 NQ; \
  AQ,TF FQ; AR 032; AS 016; AT 040; AU 036; AW 533; AX 248; AZ 031; BA 070; BB 052; BD 050; BE \
  056; BF 854 HV; BG 100; BH 048; BI 108; BJ 204 DY; BL 652; BM 060; BN 096; BO 068; BQ 535; BR \
  076; BS 044; BT 064; BV 074; BW 072; BY 112; BZ 084; CA 124; CC 166; CD 180 ZR; CF 140; CG 178; \
  CH 756; CI 384; CK 184; CL 152; CM 120; CN 156; CO 170; CR 188; CU 192; CV 132; CW 531; \
  CW,SX,BQ 530 532 AN; CX 162; CY 196; CZ 203; CZ,SK 200; DE 276 278 280 DD; DJ 262; DK 208; DM \
  212; DO 214; DZ 012; EC 218; EE 233; EG 818; EH 732; ER 232; ES 724; ET 230 231; EU 967 QU; FI \
  246; FJ 242; FK 238; FM 583; FM,MH,MP,PW 582 PC; FO 234; FR 249 250 FX; GA 266; GB 826 UK; GD \
  308; GE 268; GF 254; GG 831; GH 288; GI 292; GL 304; GM 270; GN 324; GP 312; GQ 226; GR 300; GS \
  239; GT 320; GU 316; GW 624; GY 328; HK 344; HM 334; HN 340; HR 191; HT 332; HU 348; ID 360; IE \
  372; IL 376; IM 833; IN 356; IO 086; IQ 368; IR 364; IS 352; IT 380; JE 832; JE,GG 830; JM 388; \
  JO 400; JP 392; KE 404; KG 417; KH 116; KI 296 CT; KM 174; KN 659; KP 408; KR 410; KW 414; KY \
  136; KZ 398; LA 418; LB 422; LC 662; LI 438; LK 144; LR 430; LS 426; LT 440; LU 442; LV 428; LY \
  434; MA 504; MC 492; MD 498; ME 499; MF 663; MG 450; MH 584; MK 807; ML 466; MM 104 BU; MN 496; \
  MO 446; MP 580; MQ 474; MR 478; MS 500; MT 470; MU 480; MV 462; MW 454; MX 484; MY 458; MZ 508; \
  NA 516; NC 540; NE 562; NF 574; NG 566; NI 558; NL 528; NO 578; NP 524; NR 520; NU 570; NZ 554; \
  OM 512; PA 591 PZ; PE 604; PF 258; PG 598; PH 608; PK 586; PL 616; PM 666; PN 612; PR 630; PS \
  275; PT 620; PW 585; PY 600; QA 634; QM 959; QN 960; QP 962; QQ 963; QR 964; QS 965; QT 966; QV \
  968; QW 969; QX 970; QY 971; QZ 972; RE 638; RO 642; RS 688; RS,ME 891 CS YU; RS,ME,SI,HR,MK,BA \
  890; RU 643; RU,AM,AZ,BY,EE,GE,KZ,KG,LV,LT,MD,TJ,TM,UA,UZ 810 SU; \
  RU,AM,AZ,BY,GE,KG,KZ,MD,TJ,TM,UA,UZ 172; RW 646; SA 682; SA,IQ 536 NT; SB 090; SC 690; SD 729 \
  736; SE 752; SG 702; SH 654; SI 705; SJ 744; SK 703; SL 694; SM 674; SN 686; SO 706; SR 740; SS \
  728; ST 678; SV 222; SX 534; SY 760; SZ 748; TC 796; TD 148; TF 260; TG 768; TH 764; TJ 762; TK \
  772; TL 626 TP; TM 795; TN 788; TO 776; TR 792; TT 780; TV 798; TW 158; TZ 834; UA 804; UG 800; \
  UM 581 JT MI PU WK; US 840; UY 858; UZ 860; VA 336; VC 670; VE 862; VG 092; VI 850; VN 704 VD; \
  VU 548 NH; WF 876; WS 882; XA 973; XB 974; XC 975; XD 976; XE 977; XF 978; XG 979; XH 980; XI \
  981; XJ 982; XK 983; XL 984; XM 985; XN 986; XO 987; XP 988; XQ 989; XR 990; XS 991; XT 992; XU \
  993; XV 994; XW 995; XX 996; XY 997; XZ 998; YE 720 886 887 YD; YT 175; ZA 710; ZM 894; ZW 716 \
  RH; ZZ 999
  """

/// Languages, and those that inherit from them; `root` is none.
let parentLanguages = """
  en-001 en-150 en-AG en-AI en-AU en-BB en-BM en-BS en-BW en-BZ en-CC en-CK en-CM en-CX en-CY \
  en-DG en-DM en-ER en-FJ en-FK en-FM en-GB en-GD en-GG en-GH en-GI en-GM en-GY en-HK en-IE en-IL \
  en-IM en-IN en-IO en-JE en-JM en-KE en-KI en-KN en-KY en-LC en-LR en-LS en-MG en-MO en-MS en-MT \
  en-MU en-MV en-MW en-MY en-NA en-NF en-NG en-NR en-NU en-NZ en-PG en-PK en-PN en-PW en-RW en-SB \
  en-SC en-SD en-SG en-SH en-SL en-SS en-SX en-SZ en-TC en-TK en-TO en-TT en-TV en-TZ en-UG en-VC \
  en-VG en-VU en-WS en-ZA en-ZM en-ZW; en-150 en-AT en-BE en-CH en-DE en-DK en-FI en-NL en-SE \
  en-SI; en-IN hi-Latn; es-419 es-AR es-BO es-BR es-BZ es-CL es-CO es-CR es-CU es-DO es-EC es-GT \
  es-HN es-MX es-NI es-PA es-PE es-PR es-PY es-SV es-US es-UY es-VE; no nb nn; pt-PT pt-AO pt-CH \
  pt-CV pt-FR pt-GQ pt-GW pt-LU pt-MO pt-MZ pt-ST pt-TL; root az-Arab az-Cyrl bal-Latn blt-Latn \
  bm-Nkoo bs-Cyrl byn-Latn cu-Glag dje-Arab dyo-Arab en-Dsrt en-Shaw ff-Adlm ff-Arab ha-Arab \
  iu-Latn kk-Arab ks-Deva ku-Arab ky-Arab ky-Latn ml-Arab mn-Mong mni-Mtei ms-Arab pa-Arab \
  sat-Deva sd-Deva sd-Khoj sd-Sind shi-Latn so-Arab sr-Latn sw-Arab tg-Arab ug-Cyrl uz-Arab \
  uz-Cyrl vai-Latn wo-Arab yo-Arab yue-Hans zh-Hant; zh-Hant-HK zh-Hant-MO
  """
